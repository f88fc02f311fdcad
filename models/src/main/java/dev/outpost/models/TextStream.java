package dev.outpost.models;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Text as it is generated, in pieces of whole characters. What a stop text
 * could begin with is held back until it is clear that it does not. One thread at a time.
 */
public final class TextStream implements Iterator<String>, AutoCloseable {
    private static final char UNFINISHED = '\uFFFD';

    private final Generation generation;
    private final Tokenizer tokenizer;
    private final List<String> stops;
    private final List<Integer> ids = new ArrayList<>();
    /** From here on tokens are decoded together: some begin with a blank only behind others. */
    private int context;

    /** Up to here the text of tokens is in {@link #held}, or was given out. */
    private int decoded;

    private final StringBuilder held = new StringBuilder();
    private boolean isOver;
    private String next;

    TextStream(Generation generation, Tokenizer tokenizer, List<String> stops) {
        this.generation = generation;
        this.tokenizer = tokenizer;
        this.stops = stops;
    }

    @Override
    public boolean hasNext() {
        while (next == null && !isOver) {
            advance();
        }
        return next != null;
    }

    /** The next piece, which is never empty. Waits for it. */
    @Override
    public String next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the text has ended");
        }
        String piece = next;
        next = null;
        return piece;
    }

    private void advance() {
        if (generation.hasNext()) {
            int id = generation.next()[0];
            if (!generation.ends(id)) {
                ids.add(id);
                take(false);
            }
        } else {
            take(true);
            end();
        }
        give();
    }

    /** Decodes what is new, unless it ends within a character. */
    private void take(boolean isLast) {
        String before = text(context, decoded);
        String now = text(context, ids.size());
        boolean isWhole = now.isEmpty() || now.charAt(now.length() - 1) != UNFINISHED;
        if (now.length() > before.length() && (isWhole || isLast)) {
            held.append(now, before.length(), now.length());
            context = decoded;
            decoded = ids.size();
        }
    }

    private String text(int from, int to) {
        return tokenizer.decode(
                ids.subList(from, to).stream().mapToInt(Integer::intValue).toArray());
    }

    private void give() {
        for (String stop : stops) {
            int at = held.indexOf(stop);
            if (at >= 0) {
                held.setLength(at);
                end();
            }
        }
        int ready = isOver ? held.length() : held.length() - beginOfAStop();
        if (ready > 0) {
            next = held.substring(0, ready);
            held.delete(0, ready);
        }
    }

    /** How many of the last characters may be the beginning of a stop text. */
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

    private void end() {
        isOver = true;
        generation.close();
    }

    /** All tokens so far, without those that end the text. */
    public List<Integer> ids() {
        return List.copyOf(ids);
    }

    /** The rest of the text. Waits. */
    public String toEnd() {
        StringBuilder rest = new StringBuilder();
        forEachRemaining(rest::append);
        return rest.toString();
    }

    public Generation.Rates rates() {
        return generation.rates();
    }

    /** Ends it, wherever it is. */
    @Override
    public void close() {
        end();
    }
}
