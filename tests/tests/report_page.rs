//! The page of `cargo xtask bench reports` as a browser shows it: the plots are there, and nothing is cut off.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use isambard_tests::peers::{browser, scratch};

/// How long the browser may take.
const PATIENCE: Duration = Duration::from_secs(180);

/// What is asked of the page where it is shown; the answers become the title of the page, which is read.
const QUESTIONS: &str = "<script>
const shown = e => { const r = e.getBoundingClientRect(); return r.width > 100 && r.height > 30; };
const plots = [...document.querySelectorAll('svg.plot')];
const ours = [...document.querySelectorAll('polyline.s-isambard')];
const painted = ours.filter(e => e.getTotalLength() > 10 && getComputedStyle(e).stroke.startsWith('rgb'));
document.title = ['SEEN', plots.length, plots.filter(shown).length, ours.length, painted.length,
  document.querySelectorAll('article').length,
  [...document.querySelectorAll('article')].filter(a => a.querySelector('svg.plot')).length,
  document.querySelectorAll('section').length, document.documentElement.scrollWidth - window.innerWidth,
  getComputedStyle(document.body).backgroundColor.replace(/[^0-9]+/g, '.')].join(' ');
</script>";

/// The page with the questions in it, at a width.
fn look(chromium: &Path, html: &str, width: u32, dark: bool) -> Vec<String> {
    let dir = scratch("page");
    let (path, dump, log) = (dir.join("index.html"), dir.join("dump"), dir.join("log"));
    std::fs::write(&path, html.replace("</body>", &format!("{QUESTIONS}</body>")))
        .expect("a copy of the page");
    let file = |path: &Path| std::fs::File::create(path).expect("a file in the scratch directory");
    let mut command = Command::new(chromium);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    ]);
    command.arg(format!("--user-data-dir={}", dir.join("profile").display()));
    command.arg(format!("--window-size={width},900"));
    if dark {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    command.arg("--dump-dom").arg(format!("file://{}", path.display()));
    command.env("HOME", &dir).stdin(Stdio::null()).stdout(file(&dump)).stderr(file(&log));
    let mut child = command.spawn().expect("start the browser");
    let end = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait().expect("the browser's state") {
            break status;
        }
        if Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the browser does not end: {}", std::fs::read_to_string(&log).unwrap_or_default());
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let dom = String::from_utf8_lossy(&std::fs::read(&dump).expect("what it printed")).into_owned();
    let seen = dom.split("<title>SEEN ").nth(1).and_then(|rest| rest.split("</title>").next());
    let Some(seen) = seen else {
        let log = std::fs::read_to_string(&log).unwrap_or_default();
        panic!("{status}, the page was not shown: {dom:.500}\n{log}");
    };
    let answers = seen.split(' ').map(str::to_owned).collect();
    let _ = std::fs::remove_dir_all(dir);
    answers
}

#[test]
fn every_table_of_the_page_has_plots_that_are_seen() {
    let Some(chromium) = browser() else { return };
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/report/index.html");
    let html = std::fs::read_to_string(page).expect("the committed page");
    let mut backs = Vec::new();
    for (width, dark) in [(1280, false), (500, true)] {
        let answers = look(&chromium, &html, width, dark);
        let number = |at: usize| answers[at].parse::<i64>().unwrap_or_else(|_| panic!("{answers:?}"));
        let [plots, shown, lines, painted, tables, drawn, reports, over] =
            [0, 1, 2, 3, 4, 5, 6, 7].map(number);
        assert_eq!(reports, 5, "{answers:?}");
        assert!(tables >= 10 && drawn == tables, "tables without a plot: {answers:?}");
        assert!(plots >= 2 * tables && shown == plots, "plots that are not seen: {answers:?}");
        assert!(lines > 20 && painted == lines, "lines that are not seen: {answers:?}");
        assert!(over <= 0, "wider than a window of {width}: {answers:?}");
        backs.push(answers[8].clone());
    }
    assert_ne!(backs[0], backs[1], "light and dark");
}

/// The test itself must see what is missing.
#[test]
fn a_page_whose_plots_are_gone_is_found_out() {
    let Some(chromium) = browser() else { return };
    let html = "<!DOCTYPE html><title>x</title><body><section><article><svg class=\"plot\" style=\"display:none\" viewBox=\"0 0 320 200\">\
                <polyline class=\"s-isambard\" points=\"0,0 50,50\"/></svg></article></section></body>";
    let answers = look(&chromium, html, 800, false);
    assert_eq!(answers[..4], ["1", "0", "1", "0"].map(String::from), "{answers:?}");
}
