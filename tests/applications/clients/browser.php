<?php
// What the programs for web applications share: a browser with cookies, and tests: one line "TEST<tab>ANSWER" each.
function test(string $name, callable $body): void {
    try { $answer = $body(); if (!is_string($answer)) $answer = json_encode($answer, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE); }
    catch (Throwable $e) { $answer = 'ERROR ' . $e->getMessage(); }
    echo "$name\t", preg_replace('/\s+/u', ' ', $answer), "\n";
}
class Browser {
    private CurlHandle $curl;
    public int $status = 0;
    public string $url = '';
    public string $head = '';
    public function __construct(private string $base) {
        $this->curl = curl_init();
        curl_setopt_array($this->curl, [CURLOPT_COOKIEFILE => '', CURLOPT_RETURNTRANSFER => true, CURLOPT_FOLLOWLOCATION => true, CURLOPT_MAXREDIRS => 5, CURLOPT_TIMEOUT => 60]);
    }
    /** @param array<string, mixed>|string|null $body fields of a form, a text as it is, or null for GET */
    public function ask(string $path, array|string|null $body = null, array $headers = [], ?string $method = null): string {
        $this->head = '';
        if (is_array($body) && !array_filter($body, fn ($v) => $v instanceof CURLStringFile)) $body = http_build_query($body);
        curl_setopt_array($this->curl, [CURLOPT_URL => str_starts_with($path, 'http') ? $path : $this->base . $path, CURLOPT_HTTPHEADER => $headers, CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HEADERFUNCTION => function ($c, $line) { $this->head .= $line; return strlen($line); }]);
        if ($body === null) curl_setopt($this->curl, CURLOPT_HTTPGET, true);
        else curl_setopt_array($this->curl, [CURLOPT_POST => true, CURLOPT_POSTFIELDS => $body]);
        $answer = curl_exec($this->curl);
        if ($answer === false) throw new Exception(curl_error($this->curl));
        $this->status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        $this->url = curl_getinfo($this->curl, CURLINFO_EFFECTIVE_URL);
        if ($this->status >= 500 && !str_starts_with($answer, '{"code"')) throw new Exception("$this->status " . substr(text($answer), 0, 300));
        return $answer;
    }
}
/** The words of a page, without its marks, scripts and styles. */
function text(string $html): string {
    $html = preg_replace(['#<(script|style|noscript|svg)\b.*?</\1>#is', '#<!--.*?-->#s', '#<(br|/tr|/p|/div|/li|/h\d|/option|/td|/th|/a)\b[^>]*>#i'], [' ', ' ', '$0 '], $html);
    return trim(preg_replace('/\s+/u', ' ', html_entity_decode(strip_tags($html), ENT_QUOTES | ENT_HTML5, 'UTF-8')));
}
/** The value of a form's field. */
function field(string $html, string $name): string {
    foreach (preg_match_all('/<input\b[^>]*>/i', $html, $m) ? $m[0] : [] as $input) {
        if (preg_match('/\bname=["\']' . preg_quote($name, '/') . '["\']/', $input)) return preg_match('/\bvalue=["\']([^"\']*)["\']/', $input, $v) ? html_entity_decode($v[1]) : '';
    }
    throw new Exception("no field $name in: " . substr(text($html), 0, 200));
}
