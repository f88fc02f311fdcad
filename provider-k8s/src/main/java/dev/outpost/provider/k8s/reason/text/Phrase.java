package dev.outpost.provider.k8s.reason.text;

/** The words in the singular and in the plural. */
public record Phrase(String one, String several) {

    /** Makes a phrase of a verb in both forms, followed by the same words. */
    public static Phrase of(String verb, String verbs, String rest) {
        return new Phrase(verb + " " + rest, verbs + " " + rest);
    }

    public static Phrase ofAny(String words) {
        return new Phrase(words, words);
    }

    public String of(int count) {
        return count == 1 ? one : several;
    }
}
