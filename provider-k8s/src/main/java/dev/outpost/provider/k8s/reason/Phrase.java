package dev.outpost.provider.k8s.reason;

/** What is said of one thing, and of several. */
record Phrase(String one, String several) {

    /** The same words behind another verb. */
    static Phrase of(String verb, String verbs, String rest) {
        return new Phrase(verb + " " + rest, verbs + " " + rest);
    }

    static Phrase ofAny(String words) {
        return new Phrase(words, words);
    }

    String of(int count) {
        return count == 1 ? one : several;
    }
}
