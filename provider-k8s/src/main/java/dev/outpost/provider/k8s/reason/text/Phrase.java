package dev.outpost.provider.k8s.reason.text;

/** The words for one thing, and for several. */
public record Phrase(String one, String several) {

    /** The same words behind another verb. */
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
