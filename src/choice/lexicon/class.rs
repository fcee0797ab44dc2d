//! What words do in an answer.

/// What a word or phrase does in an answer. The names are those of the files in `words/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::choice) enum Class {
    Article,
    /// A word that says nothing: "please", "um", "I think".
    Filler,
    /// A verb that introduces a choice: "let's go with".
    Want,
    /// Points at an option by what it is like: "the one with". A word that comes next and is not
    /// known describes one in words that its label has not.
    Describes,
    /// A preposition that may be left out of a label or added to it.
    Glue,
    /// Stands for an option: "one", "choice".
    Noun,
    /// Comes before a number or letter: "option two".
    Carrier,
    /// Comes before the number of a question.
    Question,
    /// Introduces the question that is meant: "for the database".
    About,
    Ordinal(u32),
    Number(u32),
    Letter(u8),
    /// What a recogniser may write for a number or letter after a carrier.
    Sounds(Said),
    /// What a recogniser may write for a count after "the first".
    Counts(u32),
    /// From the end: 0 is the last.
    FromEnd(u32),
    Middle,
    Former,
    Latter,
    And,
    /// "too": something beside what was said before.
    Also,
    Or,
    But,
    /// What comes next is not meant.
    Not,
    /// What came before is not meant.
    NotAfter,
    /// "Skip": alone it declines, before an option it says not that one.
    Drop,
    /// Everything but what comes next.
    Except,
    /// Everything but what came before.
    ExceptAfter,
    /// "two through four".
    Through,
    /// "two to four", which may also be heard as "two two four".
    To,
    From,
    /// What came before is taken back.
    Correct,
    Both,
    All,
    None,
    Decline,
    Hedge,
    Ask,
    /// Points at something that was said before.
    That,
    Yes,
    No,
    /// A plain "no", which may also begin an answer that goes on: "no, the second".
    Nay,
    /// Goes ahead with what is asked about, or turns it down: yes or no only where the question
    /// does not ask about stopping something.
    Consent,
    /// Speaks against something: "delete", "stop". In a question it turns around what people mean.
    Against,
    /// "correct": yes, and no after a negation.
    True,
    /// "wrong": no.
    False,
    /// Says nothing beside yes and no: "I think that is".
    Frame,
    /// "the first two", said the other way round: "las dos primeras".
    First(u32),
    Last(u32),
}

/// A position that was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::choice) enum Said {
    Number(u32),
    Letter(u8),
}

impl Class {
    /// The class of a line that begins so; `None` where there is no such class.
    pub(super) fn parse(name: &str, argument: Option<&str>) -> Option<Self> {
        let number = || argument?.parse().ok();
        let letter = || match argument?.as_bytes() {
            [letter @ b'a'..=b'h'] => Some(letter - b'a'),
            _ => None,
        };
        Some(match name {
            "article" => Class::Article,
            "filler" => Class::Filler,
            "want" => Class::Want,
            "describes" => Class::Describes,
            "glue" => Class::Glue,
            "noun" => Class::Noun,
            "carrier" => Class::Carrier,
            "question" => Class::Question,
            "about" => Class::About,
            "ordinal" => Class::Ordinal(number()?),
            "number" => Class::Number(number()?),
            "letter" => Class::Letter(letter()?),
            "sounds" => Class::Sounds(match number() {
                Some(number) => Said::Number(number),
                None => Said::Letter(letter()?),
            }),
            "from-end" => Class::FromEnd(number()?),
            "middle" => Class::Middle,
            "former" => Class::Former,
            "latter" => Class::Latter,
            "and" => Class::And,
            "also" => Class::Also,
            "or" => Class::Or,
            "but" => Class::But,
            "not" => Class::Not,
            "not-after" => Class::NotAfter,
            "drop" => Class::Drop,
            "except" => Class::Except,
            "except-after" => Class::ExceptAfter,
            "through" => Class::Through,
            "to" => Class::To,
            "from" => Class::From,
            "correct" => Class::Correct,
            "both" => Class::Both,
            "all" => Class::All,
            "none" => Class::None,
            "decline" => Class::Decline,
            "hedge" => Class::Hedge,
            "ask" => Class::Ask,
            "that" => Class::That,
            "yes" => Class::Yes,
            "no" => Class::No,
            "nay" => Class::Nay,
            "consent" => Class::Consent,
            "against" => Class::Against,
            "true" => Class::True,
            "false" => Class::False,
            "frame" => Class::Frame,
            "counts" => Class::Counts(number()?),
            "first" => Class::First(number()?),
            "last" => Class::Last(number()?),
            _ => return None,
        })
    }
}
