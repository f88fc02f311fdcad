package dev.outpost.models;

import java.util.Arrays;
import java.util.List;

/**
 * Converts tokens to text as they arrive, in pieces of whole characters. Holds back the beginning of a possible stop
 * text until further tokens show if it is one. Not thread-safe.
 */
public final class IncrementalDetokenizer {
    private static final char UNFINISHED = '\uFFFD';

    private final Tokenizer tokenizer;
    private final List<String> stops;
    private int[] ids = new int[64];
    private int count;
    /** The index of the first token that is decoded together with new tokens: some tokens begin with a blank only after other tokens. */
    private int context;
    /** The number of first tokens whose text is in {@link #held} or was returned. */
    private int decoded;

    private final StringBuilder held = new StringBuilder();
    private boolean isStopped;
    private final int minTokens;
    /** The number of characters of all tokens so far. */
    private int length;

    /** @param minTokens the number of tokens before which stop texts are ignored */
    public IncrementalDetokenizer(Tokenizer tokenizer, List<String> stops, int minTokens) {
        this.minTokens = minTokens;
        this.tokenizer = tokenizer;
        this.stops = stops;
    }

    /** Adds a token, and returns the text that is certain now, which may be empty. */
    public String add(int id) {
        if (count == ids.length) {
            ids = Arrays.copyOf(ids, 2 * count);
        }
        ids[count++] = id;
        take(false);
        return give(false);
    }

    /** Returns the rest of the text, after the last token. */
    public String end() {
        if (!isStopped) {
            take(true);
        }
        return give(true);
    }

    /** Returns the number of characters of all tokens so far, including held-back ones. */
    public int length() {
        return length;
    }

    /** True if a stop text was found: no more text follows. */
    public boolean isStopped() {
        return isStopped;
    }

    /** Returns all tokens so far. */
    List<Integer> ids() {
        return Arrays.stream(ids, 0, count).boxed().toList();
    }

    /** Decodes the new tokens, unless they end within a character. */
    private void take(boolean isLast) {
        String before = text(context, decoded);
        String now = text(context, count);
        boolean isWhole = now.isEmpty() || now.charAt(now.length() - 1) != UNFINISHED;
        if (now.length() > before.length() && (isWhole || isLast)) {
            held.append(now, before.length(), now.length());
            length += now.length() - before.length();
            context = decoded;
            decoded = count;
        }
    }

    private String text(int from, int to) {
        return from == to ? "" : tokenizer.decode(Arrays.copyOfRange(ids, from, to));
    }

    private String give(boolean isLast) {
        int first = -1;
        for (String stop : count < minTokens ? List.<String>of() : stops) {
            int at = held.indexOf(stop);
            first = at >= 0 && (first < 0 || at < first) ? at : first;
        }
        if (first >= 0) {
            held.setLength(first);
            isStopped = true;
        }
        int ready = isLast || isStopped ? held.length() : held.length() - beginOfAStop();
        String given = held.substring(0, ready);
        held.delete(0, ready);
        return given;
    }

    /** Returns the number of characters at the end of the text that may begin a stop text. */
    private int beginOfAStop() {
        int max = 0;
        for (String stop : stops) {
            for (int length = Math.min(stop.length() - 1, held.length()); length > max; length--) {
                if (held.substring(held.length() - length).equals(stop.substring(0, length))) {
                    max = length;
                }
            }
        }
        return max;
    }
}
