package dev.outpost.models.jinja;

/**
 * The limits of a template's work. A template is a part of a downloaded model, so it may be malicious and never end.
 */
final class TemplateBudget {
    private static final int STEPS = 5_000_000;
    static final int CHARACTERS = 1 << 26;
    private static final int MAX_DEEP = 100;

    private int steps;
    private int depth;

    void step() {
        if (++steps > STEPS) {
            throw new JinjaException("template: it does not end within " + STEPS + " steps");
        }
    }

    void enter() {
        if (++depth > MAX_DEEP) {
            throw new JinjaException("template: macros call each other more than " + MAX_DEEP + " deep");
        }
    }

    void leave() {
        depth--;
    }

    static int requireSize(long elements) {
        if (elements > CHARACTERS) {
            throw new JinjaException("template: a value would have " + elements + " elements");
        }
        return (int) elements;
    }
}
