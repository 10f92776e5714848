//! `yipu serve`: a page and a JSON API over a database, for this machine alone.
//!
//! Comes in: GET requests from this machine. Goes out: the page (search, tree with board, replay), the same JSON as the
//! commands, and boards as SVG. It forgives bad queries (400 with the message) and a database that grows meanwhile: every
//! request sees the newest state. It does not serve other machines: it listens on 127.0.0.1 only, answers only requests
//! addressed to this host by name, changes nothing, and its page may load nothing from elsewhere.

mod api;

use super::{Context, Exit};
use anyhow::anyhow;
use api::Answer;
use std::io::Write;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, Server};
use yipu::store::Database;

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// How long a thread waits before it looks whether to end.
const WAIT: Duration = Duration::from_millis(200);

/// Options of `yipu serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
  /api/info                                     what yipu db info says
  /api/search?q=QUERY&sort=BY&offset=N&limit=N  hits as in yipu search --json, with the number of all
  /api/tree?fen=FEN&moves=MOVES&where=QUERY&mirror=1
  /api/game/ID                                  a game with its moves, positions and comments
  /api/board.svg?fen=FEN&last=MOVE              a diagram")]
pub struct Args {
    /// The database
    #[arg(long, value_name = "DB")]
    pub db: PathBuf,

    /// Port on 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "P", default_value_t = 8089)]
    port: u16,
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    // Whether there is a database is told now, not with the first request.
    drop(Database::open(&args.db)?);
    let server =
        Server::http((Ipv4Addr::LOCALHOST, args.port)).map_err(|error| anyhow!("port {}: {error}", args.port))?;
    let port = server.server_addr().to_ip().map_or(args.port, |address| address.port());
    if context.json {
        context.json_line(&serde_json::json!({ "url": format!("http://127.0.0.1:{port}/") }))?;
    } else {
        writeln!(context.out(), "http://127.0.0.1:{port}/  {}", context.say("（Ctrl-C 结束）", "(Ctrl-C ends it)"))?;
    }
    context.flush()?;
    let (lang, stop) = (context.say("zh", "en"), context.stop_flag());
    std::thread::scope(|scope| {
        for _ in 0..context.jobs.clamp(2, 16) {
            scope.spawn(|| {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    match server.recv_timeout(WAIT) {
                        Ok(Some(request)) => respond(request, args, lang, port, stop),
                        Ok(None) => {}
                        Err(_) => std::thread::sleep(WAIT),
                    }
                }
            });
        }
    });
    Ok(Exit::Done)
}

fn respond(request: Request, args: &Args, lang: &str, port: u16, stop: &std::sync::atomic::AtomicBool) {
    let answer = if !is_for_us(&request, port) {
        Answer::refused(403, "this server answers only requests to 127.0.0.1 or localhost")
    } else if !matches!(request.method(), Method::Get | Method::Head) {
        Answer::refused(405, "only GET")
    } else {
        let url = request.url();
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        match path {
            "/" => Answer::of(
                "text/html; charset=utf-8",
                PAGE.replace("data-lang=\"en\"", &format!("data-lang=\"{lang}\"")),
            ),
            "/page.js" => Answer::of("text/javascript; charset=utf-8", SCRIPT),
            "/page.css" => Answer::of("text/css; charset=utf-8", STYLE),
            _ => api::answer(path, query, &args.db, lang, stop),
        }
    };
    let mut response =
        Response::from_data(answer.body).with_status_code(answer.status).with_chunked_threshold(usize::MAX);
    let headers = [
        ("Content-Type", answer.kind),
        ("Content-Security-Policy", POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-store"),
    ];
    for (name, value) in headers {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // A browser that has gone away misses nothing.
    let _ = request.respond(response);
}

/// Whether the request names this host: a page of another site that gets its name to point here does not.
fn is_for_us(request: &Request, port: u16) -> bool {
    let host = request.headers().iter().find(|header| header.field.equiv("Host"));
    host.is_some_and(|host| {
        let host = host.value.as_str();
        ["127.0.0.1", "localhost"].iter().any(|name| host == *name || host == format!("{name}:{port}"))
    })
}
