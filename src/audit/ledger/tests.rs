use super::*;

fn ledger(log: &str, rules: &Rules) -> Ledger {
    Ledger::of(&Log::read(&format!("game,side,player,event,count,stage\n{log}")), rules)
}

fn articles(side: &SideFouls) -> Vec<&'static str> {
    side.fouls.iter().map(|foul| foul.article).collect()
}

#[test]
fn three_fouls_of_any_kinds_lose_and_totals_run_over_the_event() {
    let l = ledger(
        "1,red,甲,disturb\n1,red,,touch\n1,black,乙,minor\n1,red,,clock\n2,black,甲,touch\n2,black,,警告\n2,red,丙,offer",
        &Rules::default(),
    );
    let game = &l.games[0];
    assert_eq!((game.red.total, game.black.total), (3, 1));
    assert_eq!(articles(&game.red), ["8.1.1", "8.1.5", "8.1.2"]);
    let decision = game.decision.unwrap();
    assert_eq!((decision.loser, decision.line, decision.article), (Color::Red, 5, "4.1.10"));
    assert_eq!(l.games[1].decision, None);
    let totals: Vec<_> = l.players.iter().map(|p| (&p.player[..], p.games, p.fouls, p.warnings, p.losses)).collect();
    assert_eq!(totals, [("丙", 1, 0, 0, 0), ("乙", 1, 1, 0, 0), ("甲", 2, 4, 1, 1)]);
    assert!(l.findings.is_empty());
}

#[test]
fn missing_entries_are_not_punished_twice() {
    let count = |counts: &[u32], rules: &Rules| {
        let rows: Vec<String> = counts.iter().map(|n| format!("1,red,,record,{n}")).collect();
        ledger(&rows.join("\n"), rules).games[0].red.fouls.iter().map(|f| f.fouls).collect::<Vec<_>>()
    };
    assert_eq!(count(&[3], &Rules::default()), Vec::<u32>::new());
    assert_eq!(count(&[5, 7], &Rules::default()), [1]);
    assert_eq!(count(&[5, 8], &Rules::default()), [1, 1]);
    assert_eq!(count(&[9, 12], &Rules::default()), [2]);
    assert_eq!(count(&[12], &Rules { uncapped: true, ..Rules::default() }), [3]);
}

#[test]
fn the_second_press_loses_and_its_fouls_count() {
    let l = ledger("1,black,,press\n1,black,,先按钟", &Rules::default());
    assert_eq!(l.games[0].black.total, 2);
    assert_eq!(l.games[0].decision.map(|d| (d.loser, d.article)), Some((Color::Black, "4.1.9")));
}

#[test]
fn a_move_against_the_rules_depends_on_the_event() {
    let with = |class| ledger("1,red,,illegal\n1,red,,illegal", &Rules { class, ..Rules::default() });
    let national = with(Some(EventClass::National));
    assert_eq!(national.games[0].decision.map(|d| (d.line, d.article)), Some((2, "4.1.8")));
    assert_eq!((national.games[0].red.total, national.findings.len()), (0, 1));
    let provincial = with(Some(EventClass::Provincial));
    assert_eq!(provincial.games[0].decision.map(|d| (d.line, d.article)), Some((3, "4.1.8")));
    assert_eq!(provincial.games[0].red.total, 2);
    let open = with(None);
    assert_eq!((open.games[0].decision, open.findings.len()), (None, 2));
    assert!(open.findings.iter().all(|f| f.code == codes::LEDGER_UNDECIDED));
}

#[test]
fn an_offer_that_leads_by_two_is_a_foul_or_by_three_where_the_event_reads_it_so() {
    let log = "1,red,,offer\n1,red,,offer\n1,black,,offer\n1,red,,offer";
    assert_eq!(ledger(log, &Rules::default()).games[0].red.total, 2);
    assert_eq!(ledger(log, &Rules { offer_lead: 3, ..Rules::default() }).games[0].red.total, 0);
}

#[test]
fn the_second_untrue_claim_loses_only_in_one_stage() {
    let same = ledger("1,red,,untrue-limit,,37\n1,red,,untrue-limit,,37", &Rules::default());
    assert_eq!(same.games[0].decision.map(|d| d.article), Some("4.1.11"));
    assert_eq!(same.games[0].red.seconds_off, 600);
    let other = ledger("1,red,,untrue-limit,,37\n1,red,,untrue-limit,,90", &Rules::default());
    assert_eq!((other.games[0].decision, other.findings.len()), (None, 0));
    let logged = ledger("1,red,,untrue-limit,,37\n1,black,,capture\n1,red,,untrue-limit", &Rules::default());
    assert_eq!((logged.games[0].decision, logged.findings.len()), (None, 0));
    let unknown = ledger("1,red,,untrue-limit\n1,red,,untrue-limit", &Rules::default());
    assert_eq!((unknown.games[0].decision, unknown.findings[0].code), (None, codes::LEDGER_UNDECIDED));
}

#[test]
fn who_resigns_at_once_is_spared_the_foul() {
    let l = ledger("1,red,甲,touch\n1,red,,touch\n1,red,,touch\n1,red,,resign", &Rules::default());
    let game = &l.games[0];
    assert_eq!((game.red.total, game.red.fouls[2].spared), (2, true));
    assert_eq!(game.decision.map(|d| d.article), Some("4.1.12"));
    assert_eq!(l.players[0].losses, 0);
    let later = ledger("1,red,,touch\n1,black,,touch\n1,red,,resign", &Rules::default());
    assert_eq!(later.games[0].red.total, 1);
}

#[test]
fn what_is_logged_behind_the_end_is_told_and_not_counted() {
    let l = ledger("1,red,,refuse\n1,black,,touch", &Rules::default());
    assert_eq!((l.games[0].black.total, l.findings[0].code), (0, codes::LEDGER_AFTER_END));
}

#[test]
fn logs_are_read_as_csv_json_lines_or_a_json_list_and_bad_lines_are_told() {
    let csv = Log::read("方，事件，局，数量\n红，漏记，三-1，5\n\n黑，提和，三-1，\n");
    assert_eq!((csv.entries.len(), csv.findings.len()), (2, 0));
    assert_eq!(csv.entries[0].count, Some(5));
    let lines = Log::read(
        "{\"game\":\"三-1\",\"side\":\"red\",\"event\":\"record\",\"count\":5}\n{\"game\":\"三-1\",\"side\":\"black\",\"event\":\"提和\"}",
    );
    assert_eq!(lines.entries.len(), 2);
    let list = Log::read("[{\"game\":1,\"side\":\"red\",\"event\":\"8.1.5\"}]");
    assert_eq!((list.entries[0].game.as_str(), list.entries[0].what), ("1", What::Touch));
    let bad =
        Log::read("game,side,event,count\n1,green,touch\n1,red,dance\n1,red,record,many\n,red,touch\n1,red,touch");
    assert_eq!((bad.entries.len(), bad.findings.len()), (1, 4));
    assert_eq!(bad.findings[1].line, Some(3));
    assert_eq!(Log::read("nothing here").findings.len(), 1);
    assert_eq!(Log::read("{broken").findings.len(), 1);
    assert_eq!(Log::read("[1,").findings.len(), 1);
}
