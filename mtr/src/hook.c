/* Loaded into mysqltest. Writes down every statement that is sent and every end of a command, so that what was
   recorded can be cut into statements: "Q<bytes>\n<text>\n" and "F<length of the record>\n". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { COM_QUERY = 3, COM_STMT_PREPARE = 0x16, LONGEST = 16384 };

static int side = -1;
static FILE *record;

__attribute__((constructor)) static void begin(void)
{
  const char *path = getenv("MTR_SIDE");
  if (path)
    side = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  /* Programs that a test starts are left alone. */
  unsetenv("MTR_SIDE");
  unsetenv("LD_PRELOAD");
}

static void note(const char *bytes, size_t length)
{
  if (write(side, bytes, length) < 0)
    side = -1;
}

ssize_t send(int fd, const void *buffer, size_t length, int flags)
{
  static ssize_t (*next)(int, const void *, size_t, int);
  const unsigned char *packet = buffer;
  if (!next)
    next = dlsym(RTLD_NEXT, "send");
  if (side >= 0 && length > 4 && packet[3] == 0 && (packet[4] == COM_QUERY || packet[4] == COM_STMT_PREPARE)) {
    static char line[LONGEST + 32];
    size_t text = (packet[0] | packet[1] << 8 | packet[2] << 16) - 1;
    if (text > length - 5)
      text = length - 5;
    if (text > LONGEST)
      text = LONGEST;
    int head = sprintf(line, "Q%zu\n", text);
    memcpy(line + head, packet + 5, text);
    line[head + text] = '\n';
    note(line, head + text + 1);
  }
  return next(fd, buffer, length, flags);
}

static int is_record(FILE *file)
{
  char link[64], path[512];
  if (file == record)
    return 1;
  sprintf(link, "/proc/self/fd/%d", fileno(file));
  ssize_t length = readlink(link, path, sizeof path);
  if (length < 4 || memcmp(path + length - 4, ".log", 4))
    return 0;
  record = file;
  return 1;
}

int fflush(FILE *file)
{
  static int (*next)(FILE *);
  if (!next)
    next = dlsym(RTLD_NEXT, "fflush");
  int result = next(file);
  if (side >= 0 && file && file != stdout && file != stderr && is_record(file)) {
    char line[32];
    note(line, sprintf(line, "F%ld\n", ftell(file)));
  }
  return result;
}
