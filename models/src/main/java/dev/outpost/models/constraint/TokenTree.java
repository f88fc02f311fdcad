package dev.outpost.models.constraint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The bytes of all tokens of a model as a prefix tree in preorder, so that a common prefix is visited once. Immutable. */
final class TokenTree {
    private final byte[] bytes;
    private final int[] depths;
    /** The next node outside of a node's subtree. */
    private final int[] ends;
    /** The index of each node's first token in {@link #tokens}. A last entry marks the end. */
    private final int[] indices;

    private final int[] tokens;
    private final int height;

    /** @param without the tokens that are left out, such as those that end a text */
    TokenTree(byte[] @Nullable [] texts, Set<Integer> without) {
        List<Integer> ordered = ordered(texts, without);
        int max = ordered.stream().mapToInt(token -> texts[token].length).sum();
        byte[] bytesSoFar = new byte[max];
        int[] depthsSoFar = new int[max];
        int[] indicesSoFar = new int[max + 1];
        tokens = ordered.stream().mapToInt(Integer::intValue).toArray();
        int nodes = 0;
        byte[] before = {};
        for (int place = 0; place < tokens.length; place++) {
            byte[] text = texts[tokens[place]];
            int difference = Arrays.mismatch(before, text);
            for (int depth = difference < 0 ? text.length : difference; depth < text.length; depth++) {
                bytesSoFar[nodes] = text[depth];
                depthsSoFar[nodes] = depth;
                indicesSoFar[nodes++] = place;
            }
            indicesSoFar[nodes] = place + 1;
            before = text;
        }
        bytes = Arrays.copyOf(bytesSoFar, nodes);
        depths = Arrays.copyOf(depthsSoFar, nodes);
        indices = Arrays.copyOf(indicesSoFar, nodes + 1);
        height = Arrays.stream(depths).max().orElse(-1) + 1;
        ends = ends(depths, height);
    }

    /** Returns the tokens with texts in the order of their bytes. */
    private static List<Integer> ordered(byte[] @Nullable [] texts, Set<Integer> without) {
        List<Integer> ordered = new ArrayList<>();
        for (int token = 0; token < texts.length; token++) {
            // Special tokens have no text. A token without bytes would allow endless repetition.
            if (texts[token] != null && texts[token].length > 0 && !without.contains(token)) {
                ordered.add(token);
            }
        }
        ordered.sort(Comparator.comparing(token -> texts[token], Arrays::compareUnsigned));
        return ordered;
    }

    private static int[] ends(int[] depths, int height) {
        int[] ends = new int[depths.length];
        int[] next = new int[height + 1];
        Arrays.fill(next, depths.length);
        for (int node = depths.length - 1; node >= 0; node--) {
            ends[node] = next[depths[node]];
            Arrays.fill(next, depths[node], next.length, node);
        }
        return ends;
    }

    int nodes() {
        return bytes.length;
    }

    /** Returns the number of bytes of the longest token. */
    int height() {
        return height;
    }

    /** Returns the number of bytes before a node's last byte. */
    int depth(int node) {
        return depths[node];
    }

    int lastByte(int node) {
        return bytes[node] & 0xFF;
    }

    /** Returns the next node outside of a node's subtree. */
    int end(int node) {
        return ends[node];
    }

    /** Visits the tokens whose bytes end at a node. */
    void forEachToken(int node, IntConsumer visitor) {
        for (int place = indices[node]; place < indices[node + 1]; place++) {
            visitor.accept(tokens[place]);
        }
    }
}
