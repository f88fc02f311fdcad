package dev.outpost.models.constraint;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of all tokens of a model as a prefix tree in preorder, so that a common prefix is processed once. Immutable.
 *
 * <p>Plain tokens consist of whole code points that a JSON string contains unescaped, other than Unicode's line and paragraph separators.
 * In most states of a string only the length of a plain token matters. So plain tokens are also kept by length, together with a tree of
 * the other tokens.
 */
final class TokenTree {
    /** Longer tokens are not kept by length. */
    static final int MAX_PLAIN = 32;

    /** A tree of some tokens. */
    static final class Nodes {
        final byte[] bytes;
        final int[] depths;
        /** The next node outside of a node's subtree. */
        final int[] ends;
        /** The index of each node's first token in {@link #tokens}; a last entry marks the end. */
        final int[] indices;

        final int[] tokens;
        final int height;
        /** The node of each first byte; −1 for none. */
        final int[] roots = new int[256];

        Nodes(List<byte[]> texts, int[] ids) {
            Integer[] order = new Integer[ids.length];
            Arrays.setAll(order, place -> place);
            Arrays.sort(order, Comparator.comparing(texts::get, Arrays::compareUnsigned));
            int max = texts.stream().mapToInt(text -> text.length).sum();
            byte[] bytesSoFar = new byte[max];
            int[] depthsSoFar = new int[max];
            int[] indicesSoFar = new int[max + 1];
            tokens = new int[ids.length];
            int nodes = 0;
            byte[] before = {};
            for (int place = 0; place < order.length; place++) {
                byte[] text = texts.get(order[place]);
                int common = Math.max(0, Arrays.mismatch(before, text));
                common = Arrays.equals(before, text) ? text.length : common;
                for (int depth = common; depth < text.length; depth++) {
                    bytesSoFar[nodes] = text[depth];
                    depthsSoFar[nodes] = depth;
                    indicesSoFar[nodes++] = place;
                }
                tokens[place] = ids[order[place]];
                indicesSoFar[nodes] = place + 1;
                before = text;
            }
            bytes = Arrays.copyOf(bytesSoFar, nodes);
            depths = Arrays.copyOf(depthsSoFar, nodes);
            indices = Arrays.copyOf(indicesSoFar, nodes + 1);
            height = nodes == 0 ? 0 : Arrays.stream(depths).max().orElseThrow() + 1;
            ends = new int[nodes];
            int[] open = new int[height + 1];
            Arrays.fill(open, -1);
            for (int node = 0; node < nodes; node++) {
                close(open, depths[node], node);
                open[depths[node]] = node;
            }
            close(open, 0, nodes);
            Arrays.fill(roots, -1);
            for (int node = 0; node < nodes; node = ends[node]) {
                roots[bytes[node] & 0xFF] = node;
            }
        }

        private void close(int[] open, int depth, int end) {
            for (int each = depth; each < open.length && open[each] >= 0; each++) {
                ends[open[each]] = end;
                open[each] = -1;
            }
        }
    }

    private final Nodes all;
    private final Nodes notPlain;
    /** The plain tokens by their number of code points, from 1 on. */
    private final int[][] plain;

    private TokenTree(Nodes all, Nodes notPlain, int[][] plain) {
        this.all = all;
        this.notPlain = notPlain;
        this.plain = plain;
    }

    /** @param ends the tokens that end a text; they are left out */
    static TokenTree of(byte[] @Nullable [] tokens, Set<Integer> ends) {
        List<byte[]> texts = new ArrayList<>();
        List<Integer> ids = new ArrayList<>();
        List<byte[]> otherTexts = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        List<List<Integer>> plain = new ArrayList<>();
        for (int length = 0; length <= MAX_PLAIN; length++) {
            plain.add(new ArrayList<>());
        }
        for (int token = 0; token < tokens.length; token++) {
            byte[] bytes = tokens[token];
            // Special tokens have no text. A token without bytes would allow endless repetition.
            if (bytes == null || bytes.length == 0 || ends.contains(token)) {
                continue;
            }
            texts.add(bytes);
            ids.add(token);
            int length = plainLength(bytes);
            if (length > 0) {
                plain.get(length).add(token);
            } else {
                otherTexts.add(bytes);
                others.add(token);
            }
        }
        return new TokenTree(
                new Nodes(texts, array(ids)),
                new Nodes(otherTexts, array(others)),
                plain.stream().map(TokenTree::array).toArray(int[][]::new));
    }

    private static int[] array(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The number of code points of a plain token; 0 for another one. */
    private static int plainLength(byte[] bytes) {
        for (byte one : bytes) {
            if (one >= 0 && one < ' ' || one == '"' || one == '\\') {
                return 0;
            }
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            int length = text.codePointCount(0, text.length());
            boolean hasSeparator = text.indexOf('\u2028') >= 0 || text.indexOf('\u2029') >= 0;
            return length > MAX_PLAIN || hasSeparator ? 0 : length;
        } catch (CharacterCodingException ignored) {
            // Part of a code point.
            return 0;
        }
    }

    Nodes all() {
        return all;
    }

    Nodes notPlain() {
        return notPlain;
    }

    int[] plain(int length) {
        return plain[length];
    }
}
