//! All finding codes. The letter tells the stage: `I` input, `T` text and encoding, `F` file format, `N` notation, `R` replay,
//! `G` game and headers, `D` database, `S` score sheets, `J` repetition and claims, `O` output. Numbers never change
//! their meaning and are never used again.

use super::Severity;
use std::fmt;

/// A stable finding code with its explanation.
#[derive(Clone, Copy)]
pub struct Code(&'static Entry);

struct Entry {
    id: &'static str,
    severity: Severity,
    summary: &'static str,
    help: &'static str,
}

impl Code {
    /// `R401`.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// The severity a finding of this code normally has.
    pub fn severity(self) -> Severity {
        self.0.severity
    }

    /// What it means, in a few words.
    pub fn summary(self) -> &'static str {
        self.0.summary
    }

    /// What it means and what to do, in a few sentences.
    pub fn help(self) -> &'static str {
        self.0.help
    }

    /// What it means, in a few words of Chinese.
    pub fn chinese_summary(self) -> &'static str {
        super::zh::of(self).map_or(self.summary(), |(title, _)| title)
    }

    /// What it means and what to do, in a few sentences of Chinese.
    pub fn chinese_help(self) -> &'static str {
        super::zh::of(self).map_or(self.help(), |(_, help)| help)
    }

    /// The code with this id, whatever its case.
    pub fn find(id: &str) -> Option<Code> {
        ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Code {}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

macro_rules! codes {
    ($($name:ident $id:literal $severity:ident $summary:literal $help:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $summary)]
            pub const $name: Code = Code(&Entry { id: $id, severity: Severity::$severity, summary: $summary, help: $help });
        )*

        /// Every code, in the order of this page.
        pub const ALL: &[Code] = &[$($name),*];
    };
}

codes! {
    NO_GAME "F101" Warning "no game found"
        "The file was read, but nothing in it is a game record: prose, a table, or a kind of file nobody described. If it \
         does hold games, name the format with --format.";
    FOREIGN_FILE "F102" Warning "a file of another kind"
        "The first bytes are those of a picture, a document, a program, a data base or a damaged disk block. It holds no \
         game record that could be read.";
    NOT_SUPPORTED "F103" Error "a known kind of game file that is not supported"
        "The file belongs to a program whose format is known by name only. The message says which; convert it with that \
         program.";
    BROKEN_HEADER "F201" Warning "a header field of a binary record that makes no sense"
        "A fixed field holds a value nobody described, or the header is too short. The other fields and the moves are read \
         all the same.";
    UNKNOWN_VERSION "F202" Warning "a version of a format newer than any known"
        "The file was read as the newest known version. If the moves make sense, so did that.";
    CHECK_VALUE "F203" Warning "a check value that does not fit"
        "The file was changed after it was written, or damaged. Everything that could be read is kept; compare it with \
         another copy.";
    BROKEN_TREE "F204" Error "a tree that is broken off"
        "The file ends before its tree does, or a length in it is impossible. All plies before that place are kept.";
    LEFT_OVER_BYTES "F205" Note "bytes behind the end of the record"
        "The record is complete; what follows it has no known meaning and is ignored.";
    SIDE_CONTRADICTED "F206" Warning "the side to move contradicts the first ply"
        "The header names one side, but a piece of the other moves first. The piece is believed.";
    UNPLAYABLE_PLY "F207" Error "a stored ply that cannot be played"
        "The from-square is empty, or the piece does not move so. The ply and all below it are kept as text; other lines \
         are kept.";
    GENERAL_LEFT_ATTACKED "F208" Warning "a ply that leaves its own general attacked"
        "The piece moves so, but its general stays or comes under attack, or is not on the board. The ply is kept: studies \
         contain such plies, and so do slips of the pen.";
    DELETED_RECORD "F209" Note "a deleted record of a library"
        "The owner of the library deleted it; the program that made the library does not show it either.";
    BROKEN_INDEX "F210" Warning "an index that does not lead to its records"
        "The library is damaged, or another program wrote it. The records were found by their first bytes instead.";
    UNCLOSED_TAG "F401" Warning "a tag that is never closed"
        "The value was taken to end where the next tag begins. Look whether text is missing.";
    REPEATED_TAG "F402" Note "a tag with two values"
        "The first value counts. The finding holds the other one.";
    LOOSE_LINE "F403" Error "a side line or comment that hangs nowhere"
        "The line it names does not exist or is not that long. It is kept as text behind the game.";
    UNREADABLE_LINE "F404" Error "a stored line that is not made of plies"
        "The plies before that place are kept, the rest is kept as text.";
    BAD_FEN "F405" Error "a start position that cannot be read"
        "The normal start position is used instead; if the moves do not fit it, that is the reason.";
    UNREAD_LINES "F406" Note "lines that are no game"
        "Headings or remarks between the games; the count is given so that nothing goes missing unnoticed.";
    EXPERIMENTAL "F407" Note "a format known from descriptions only"
        "No file of the program was at hand when the reader was written. Please compare the result, and send a file.";
    SIDE_UNKNOWN "F408" Note "a position without a side to move"
        "The format does not store who moves first. Red is assumed.";
    HALF_CHARACTER "T201" Warning "half a character at the end of a field"
        "The program that wrote the file cut the field at its last byte. The whole characters are kept.";
    BAD_BYTES "T202" Warning "bytes that mean nothing in the encoding"
        "Each became one U+FFFD. The moves of a binary record do not depend on its text.";
    DOUBTFUL_ENCODING "T203" Warning "text in an encoding that is only a guess"
        "The text can be read in more than one encoding and the one chosen looks odd. Name the right one with --encoding; \
         the finding gives the bytes.";
    TWO_ENCODINGS "T204" Note "two encodings on one line"
        "The file was made for readers of simplified and of traditional characters at once. Byte offsets of its findings \
         count in the text turned into UTF-8.";
    IMPOSSIBLE_POSITION "G201" Warning "a start position that no game can reach"
        "The position is kept as it stands; studies and damaged files contain such positions. The message names the piece \
         and the reason.";
    FOLDED "O201" Note "something the format has no field for, written into a comment"
        "It stands in a comment behind a line that starts with [%yipu, and reading the file with yipu gives it back.";
    FIELD_CUT "O202" Note "a text longer than its field"
        "The field holds the beginning, a comment on the start position the whole text; reading the file with yipu gives \
         it back.";
    NOT_WRITABLE "O203" Error "a game the format cannot hold"
        "Nothing was written. The message says what does not fit; another format may hold it.";
    UNMAPPABLE "O204" Warning "characters the encoding does not have"
        "A box (□) stands in their place, or a question mark where the encoding has no box. Choose another --encoding to \
         keep them.";
    LOST_IN_FORMAT "O206" Warning "something the format cannot hold"
        "The message tells what was left out of the file written. JSON Lines, PGN and XQF keep it.";
    FOUR_BYTE_CHARACTERS "O205" Note "characters outside GBK"
        "They are written in the four-byte form of GB18030. Old programs that know only GBK show something else.";
    UNREADABLE_FILE "I001" Error "a file that cannot be opened or read"
        "The system refused the file or broke off while reading it. The other files are read all the same.";
    DAMAGED_ARCHIVE "I002" Error "an archive that cannot be unpacked"
        "A gzip, zstd or zip file is damaged. What could be unpacked before the damage is read.";
    ARCHIVE_TOO_LARGE "I003" Error "an archive that unpacks to more than the limit"
        "An archive (or a member of one) grows far beyond its packed size, holds too many members, or archives too deep one \
         inside the other. What lies within the limit is read, the rest is not.";
    FILE_TOO_LARGE "I004" Error "a file too large to be read as one game"
        "Files with many games are read in pieces, whatever their size. This one is large and no beginning of a game was \
         found in it.";
    NOT_A_FILE "I005" Warning "something in a folder that is no file"
        "A pipe, a socket or a device cannot hold a record and is left alone. Name it on the command line to read it all the \
         same.";
    LONG_TEXT "I010" Warning "a text too long to be searched whole"
        "The game is in the database with all its text, but searches look at the first mebibyte of each header and of all \
         comments together only.";
    INTERNAL "I009" Error "a fault of this program"
        "The program failed on this file and went on with the next one. Please report it together with the file.";
    ENCODING_GUESSED "T101" Note "an encoding chosen by its content"
        "Nothing in the file names its encoding. The one in which most of the text becomes moves and other frequent \
         characters was taken; the message gives the figures. `--encoding` overrules it.";
    OTHER_ENCODING "T102" Warning "a game or a field in another encoding than its file"
        "In the encoding of the file it could not be read, in the one named it could. This happens where files were put \
         together.";
    TAG_FAULT "F301" Warning "a tag that is not closed"
        "A quote or a bracket is missing, or the value spans lines. The value is taken to end where the message says.";
    OPEN_COMMENT "F302" Warning "a comment that is never closed"
        "It is taken to end before the line that carries on the numbering, or with the game, so that no game behind it is \
         lost. Close it in the file if it should end elsewhere.";
    OPEN_BRACKET "F303" Warning "a bracket without its counterpart"
        "A side line that is never closed ends with its game; a bracket that closes nothing is passed over.";
    NUMBER_JUMP "F304" Warning "round numbers that jump or repeat"
        "Rounds and plies are counted from the moves that are there. If a round was left out, the plies behind it usually \
         do not fit; if only the number was, nothing is missing. A round that stands twice may be a number or a line \
         copied twice.";
    RESULT_CONFLICT "F305" Warning "a result tag that contradicts the end of the moves"
        "The tag is believed. Correct the one that is wrong.";
    UNKNOWN_RESULT "F306" Warning "a result that means nothing known"
        "The header is kept as written; the result counts as unknown unless the moves end with one.";
    GAME_TOO_LONG "F307" Error "a game longer than the reader's bounds"
        "What lies within the bounds was read, the rest of the game was not. No real game is as long.";
    FOREIGN_GAME "F308" Error "a game of western chess"
        "Its moves are written on eight files and ranks. It was not read; headers and text are kept.";
    BROKEN_FEN "F309" Error "a start position that cannot be read"
        "Without it no ply can be proved. The moves are kept as text; correct the FEN and read the file again.";
    FEN_ASSUMED "F310" Note "something a FEN does not say"
        "The side to move is missing or unknown and was taken to be Red. If the first ply fits only Black, that is reported \
         too.";
    TEXT_CUT "F311" Warning "more text around a game than is kept"
        "Text that is neither move nor comment is kept up to the limit named.";
    MORE_FINDINGS "F312" Note "findings that are not listed"
        "The first ones of each kind are listed, so that a damaged file does not drown them.";
    OTHER_END "F313" Warning "moves that do not end in the position named"
        "The record names the position it ends in, and its moves lead to another one. A move may be missing or wrong.";
    BOARD_DRAWN "F320" Note "a start position drawn as a board"
        "No FEN tag names the start position, and a board is drawn before the moves. Compare the FEN with the drawing.";
    BOARD_BROKEN "F321" Warning "a board before the moves that cannot be read"
        "The moves were read from the usual start position. Mend the drawing, or give the position as a FEN tag.";
    HANDICAP "G301" Note "a handicap game"
        "All pieces stand as at the start of a game, but for those that are missing.";
    RESULT_AGAINST_BOARD "G302" Warning "a result that the board contradicts"
        "At the end of the moves one side has no legal move, in check or not (困毙): it has lost, whatever the record says.";
    LINE_BREAKS "O301" Warning "line breaks in a header"
        "A PGN tag is one line; its line breaks became blanks.";
    RENAMED_TAG "O302" Warning "a header whose name no tag can have"
        "Characters that a tag name cannot hold were replaced.";
    CHANGED_COMMENT "O303" Warning "text that was changed a little to read back safely"
        "Written as it stands it would have been taken for something else: the start of a game, or the end of a comment.";
    UNREAD_REST "O304" Warning "text that could not be read, written along"
        "The game was not read to its end. What is left is written so that nobody takes it for plies.";
    NOT_A_MOVE "N201" Error "a text that is no move in any notation"
        "Nothing in the text could be read as a written move. The forms that are read are described in the folder \
         grammars of the program.";
    AMBIGUOUS_MOVE "N202" Warning "a text that fits several legal moves"
        "The text leaves out what would tell these moves apart, so none of them is chosen. In a record the later moves \
         may settle it.";
    OTHER_DIALECT "N203" Note "a text that another way of writing reads differently"
        "The text was read in the commonest way that fits a legal move. Another way of writing fits a legal move too; \
         `--dialect` chooses it.";
    NO_LEGAL_MOVE "R401" Error "a move text that fits no legal move"
        "The text is a move, but nothing on the board can play it. The legal plies before it are kept, the rest of the \
         game is kept as text. `yipu move --fen … TEXT` shows the nearest legal moves.";
    SEVERAL_READINGS "R402" Warning "a record that can be read as several games"
        "Some texts fit several legal moves, and the rest of the record rules out all but the readings counted here. \
         The likeliest one is shown; the others differ at the plies named. Complete those texts (a bar, a file, 前 or 后) \
         to settle it.";
    SIDE_LINE_STOPPED "R403" Warning "a side line with a ply that fits no legal move"
        "The legal plies of the side line before it are kept, its rest is kept as a comment behind them.";
    SIDE_SWITCHED "R404" Note "a record that begins with the other side's ply"
        "The first ply fits only the side that should not be on move, or the record says that Black begins. The other \
         side was given the first turn.";
    COLUMNS_SWAPPED "R405" Warning "numerals that suggest swapped columns"
        "Every ply of Red is written with Arabic numerals and every ply of Black with Chinese ones. The record was read \
         in the order written; the game with the columns exchanged is given in the message.";
    COLORS_OF_1956 "R406" Note "piece names of 1956"
        "Until the rules changed, the first mover had the black pieces: 将 and 象 with Chinese numerals, 帅 and 相 with \
         Arabic ones. Squares and turns are not affected; only the names are translated.";
    UNREADABLE_TEXT "R407" Warning "text among the moves that is neither a move nor a comment"
        "The text was kept as a comment on the ply before it. If it stands for a ply, the plies behind it will not fit.";
    RARE_DIALECT "R408" Note "a record that is legal only in a rare way of writing"
        "Ranks counted from Black's side, bars with reversed meaning, pinyin initials or pieces by number: the usual \
         readings fit no legal move at the ply named, this one fits the whole record. Compare the first plies with the \
         source.";
    PLY_MISSING "R410" Error "a ply left out of a round"
        "The next round begins where the other side's ply is due. The plies before the gap are kept, the rest is kept as \
         text: played on, it would go to the wrong side. Add the ply, or correct the number if only that is wrong. In a side \
         line the rest is kept as a comment.";
    TEXT_LEFT_OVER "R411" Warning "plies that an earlier reading could not play"
        "The record holds plies as text: whoever made it stopped there and wrote them along. They were not tried again; \
         mend the record from its source.";
    OTHER_BOARD "R409" Note "a record that fits another board than the one given"
        "The moves stop on the start position named, but all of them are legal on its mirror image, with the colours \
         swapped, or with the other side to move. Nothing was changed; compare the start position with the source.";

    CLAIM_BEYOND_RECORD "J501" Warning "a claim after more plies than the record has"
        "The claim is examined on the last position of the record instead. Give the record up to the claim, or another \
         ply with `--at`.";
    PENDING_MOVE "J502" Error "the pending move of a claim cannot be played"
        "The move announced with a claim must be a legal move of the claimant in the position of the claim. The claim \
         was examined without it.";
    COUNTER_UNPROVEN "J503" Warning "quiet plies known from a FEN counter alone"
        "The start position brings a counter of plies without capture. These plies are counted, but no record proves \
         them, and checks among them cannot be seen. An arbiter has to look for the earlier record.";
    CAPTURE_IN_STRETCH "J504" Note "the capture from which the count runs"
        "The text of a move does not show captures, so the last one is named: only plies behind it count.";
    GAME_OVER_FIRST "J505" Error "the game had ended before the claim"
        "Checkmate and 困毙 (no legal move) end a game at once; no claim of a draw is examined after them.";
    HOLE_IN_STRETCH "J506" Error "plies are missing in the stretch a claim is about"
        "A claim can only be examined on a record without holes since the last capture (2011, article 22.3). Complete \
         the record first, for instance with the other player's sheet.";
    NO_SUCH_RULE "J507" Error "the chosen edition has no such rule"
        "The editions of 1956 and 1987 print no limit for rounds without capture. Choose the edition of 2011, or give \
         the limit of the event.";
    EARLIER_POSITION "J509" Note "a claim that was true one ply earlier"
        "A claim may be made before or after the claimant's move. Both positions are examined, and the figures are those of \
         the earlier one in which the claim holds.";
    RESULT_AGAINST_RULING "J511" Warning "a result that contradicts the ruling on a repetition"
        "The game ended inside a repetition, and its result is not what the rules in force give: a side that had to change \
         did not lose, or a draw by the rules is recorded as a win. `yipu judge FILE#N` gives the reasons.";
    UNCLAIMED_REPETITION "J512" Note "a repetition on which a claim was possible"
        "A round was made often enough for a claim; the game went on. `yipu judge FILE#N --at PLY` gives the ruling that a \
         claim would have brought.";
    SHEET_STATEMENT "S101" Warning "a statement of a sheet that cannot be read"
        "A score sheet may state its start position, its final diagram, its result or its number of rounds. This \
         statement could not be read and was left out.";
    SHEET_STRUCK_OUT "S102" Note "a struck-out entry"
        "The entry is marked as struck out and was not read. What stands beside it counts.";
    SHEET_NUMBER_JUMP "S103" Warning "round numbers that jump"
        "Rows may be missing here, or a number was skipped. Plies are counted by replay, never by printed numbers.";
    SHEET_NUMBER_WRONG "S104" Warning "a round number out of order"
        "The printed number repeats or goes back. Plies are counted by replay, never by printed numbers.";
    SHEET_MISSING "S105" Warning "a missing entry"
        "The sheet has no entry here. Where the later entries leave one way to fill the gap it is shown, but it stays \
         missing for the count of fouls (2011, article 7.1).";
    SHEET_ILLEGIBLE "S106" Warning "an entry that cannot be read"
        "The entry does not say which move was played; it counts as missing (2011, article 7.2).";
    SHEET_COLUMNS_SWAPPED "S107" Warning "the two columns are swapped"
        "The sheet makes sense with Black's moves in the first column: it was read so.";
    SHEET_BARS_REVERSED "S108" Note "bars with the reversed meaning"
        "A bar below the digit usually means forward. This sheet makes sense only the other way round.";
    SHEET_MENDED "S109" Warning "an entry mended"
        "The sheet as written cannot be replayed. The smallest change was made that lets the rest of the game live; \
         other changes that do are listed as alternatives.";
    SHEET_OPEN "S110" Warning "several readings remain"
        "More than one game fits everything written. The likeliest is shown; likely is not certain. The entries that \
         differ list their alternatives.";
    SHEET_BREAKS "S111" Error "the sheet cannot be replayed beyond this entry"
        "No reading of the entries before it leads to a position where this entry fits, with the mends allowed. What \
         was read up to here is kept.";
    SHEET_BOUND "S112" Warning "more readings than could be followed"
        "The search keeps a bounded number of boards after each ply and let the least likely ones go. The number of \
         readings is a lower bound; `--width` raises the bound.";
    SHEETS_DIFFER "S113" Warning "the two sheets differ"
        "The sheets of the two players say different things about this ply.";
    SHEETS_COPIED "S114" Warning "the two sheets look copied"
        "The sheets share gaps or errors that two people would hardly make independently. An arbiter should look.";
    SHEET_CONTRADICTED "S115" Warning "a statement the readings contradict"
        "No reading of the entries agrees with the stated result, final diagram or number of rounds.";
    SHEET_SHIFTED "S116" Warning "rows taken as missing"
        "The sheet can only be replayed if the rows that the jump of the numbers leaves out are missing.";
    SHEET_EMPTY "S117" Error "no entries found"
        "The text holds nothing that looks like the entry of a score sheet.";
    LEDGER_LINE "J521" Error "a line of an event log that cannot be read"
        "Each line needs a game, a side and an event; an inspected sheet needs the number of its missing entries. The \
         other lines of the log stand.";
    LEDGER_AFTER_END "J522" Warning "an event behind the end of its game"
        "An earlier line of the log had decided the game; this one was not counted.";
    LEDGER_UNDECIDED "J523" Warning "an event the log says too little about"
        "What it costs depends on something only the regulations or the record of the game can tell; nothing was \
         decided.";
    LEDGER_PLAYER "J524" Warning "two names for one side of a game"
        "The log names two players for one side of one game. Totals are kept under the first.";
    SHEET_TOO_LONG "S118" Error "more entries than a score sheet has"
        "No game is so long. The text was read up to here; the rest may be another sheet.";
    SECOND_UNTRUE_CLAIM "J508" Error "second untrue claim of one side in one stage"
        "A stage is the stretch between two captures. The second claim of the same side that proves untrue in one \
         stage loses the game (2011, article 4.1.11).";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_well_formed_and_found() {
        let mut seen = std::collections::HashSet::new();
        for code in ALL {
            assert!(seen.insert(code.id()), "{code} twice");
            assert!(code.id().len() == 4 && code.id().as_bytes()[0].is_ascii_uppercase());
            assert!(!code.summary().is_empty() && code.help().ends_with('.'));
            assert_eq!(Code::find(&code.id().to_lowercase()), Some(*code));
        }
        assert_eq!(Code::find("X000"), None);
    }
}
