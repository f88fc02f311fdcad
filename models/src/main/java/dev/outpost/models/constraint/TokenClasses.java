package dev.outpost.models.constraint;

import java.util.Arrays;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The equivalence classes of tokens that lead to the same next state in every state. Tokens that end a text are one class. Classes are
 * split until the tokens of each class agree in every state. For one thread.
 */
final class TokenClasses {
    /** The class of the tokens that end a text. */
    static final int ENDS = 1;

    private static final int FREE = -1;

    private final int[] ofTokens;
    private int[] sizes;
    /** The length of the plain tokens of a class; 0 for a class of others. */
    private int[] plainLengths;

    private int count;

    // A hash table of the pairs of class and target in one state.
    private long[] keys = new long[1024];
    private int[] groups = new int[1024];
    private int[] groupSizes = new int[512];
    private int[] groupClasses = new int[512];
    private int[] groupSlots = new int[512];
    private int used;
    private final int[] groupOf;

    /** @param max the limit of classes; the search stops when there are more */
    TokenClasses(
            int vocabulary,
            Set<Integer> ends,
            TokenTree tokens,
            TokenMoves moves,
            int max,
            BooleanSupplier isCancelled) {
        ofTokens = new int[vocabulary];
        groupOf = new int[vocabulary];
        sizes = new int[1024];
        plainLengths = new int[1024];
        Arrays.fill(groups, FREE);
        ends.forEach(end -> ofTokens[end] = ENDS);
        sizes[0] = vocabulary - ends.size();
        sizes[ENDS] = ends.size();
        count = 2;
        for (int length = 1; length <= TokenTree.MAX_PLAIN; length++) {
            int[] plain = tokens.plain(length);
            if (plain.length > 0) {
                for (int token : plain) {
                    ofTokens[token] = count;
                }
                sizes[0] -= plain.length;
                plainLengths[count] = length;
                sizes[count++] = plain.length;
            }
        }
        for (int state = 0; state < moves.states() && count <= max; state++) {
            if (isCancelled.getAsBoolean()) {
                throw new CompilationCancelledException();
            }
            split(moves.allowed(state), moves.behind(state));
        }
    }

    int count() {
        return count;
    }

    int[] ofTokens() {
        return ofTokens;
    }

    private void split(int[] tokens, int[] targets) {
        for (int place = 0; place < tokens.length; place++) {
            int group = group((long) ofTokens[tokens[place]] << 32 | targets[place]);
            groupOf[place] = group;
            groupSizes[group]++;
        }
        for (int group = 0; group < used; group++) {
            int old = (int) (keys[groupSlots[group]] >> 32);
            groups[groupSlots[group]] = FREE;
            groupClasses[group] = old;
            // If all members of a class have moved, the last group keeps the number of the class.
            if (groupSizes[group] < sizes[old]) {
                sizes[old] -= groupSizes[group];
                groupClasses[group] = newClass(groupSizes[group], plainLengths[old]);
            }
            groupSizes[group] = 0;
        }
        used = 0;
        for (int place = 0; place < tokens.length; place++) {
            ofTokens[tokens[place]] = groupClasses[groupOf[place]];
        }
    }

    private int newClass(int size, int plainLength) {
        if (count == sizes.length) {
            sizes = Arrays.copyOf(sizes, 2 * count);
            plainLengths = Arrays.copyOf(plainLengths, 2 * count);
        }
        sizes[count] = size;
        plainLengths[count] = plainLength;
        return count++;
    }

    private int group(long key) {
        int mask = keys.length - 1;
        int slot = (int) ((key ^ key >>> 32) * 0x9E3779B1L >>> 12) & mask;
        while (groups[slot] != FREE) {
            if (keys[slot] == key) {
                return groups[slot];
            }
            slot = slot + 1 & mask;
        }
        if (used == groupSizes.length) {
            grow();
            return group(key);
        }
        keys[slot] = key;
        groups[slot] = used;
        groupSlots[used] = slot;
        return used++;
    }

    private void grow() {
        long[] known = new long[used];
        for (int group = 0; group < used; group++) {
            known[group] = keys[groupSlots[group]];
        }
        groupSizes = Arrays.copyOf(groupSizes, 2 * used);
        groupClasses = Arrays.copyOf(groupClasses, 2 * used);
        groupSlots = Arrays.copyOf(groupSlots, 2 * used);
        keys = new long[4 * used];
        groups = new int[4 * used];
        Arrays.fill(groups, FREE);
        used = 0;
        for (long key : known) {
            group(key);
        }
    }

    /**
     * Writes the next states of the classes in one state. Returns a lower bound of the number of allowed tokens: it counts each class of
     * plain tokens once.
     */
    int fill(TokenMoves moves, int state, int[] next, int from) {
        int[] tokens = moves.allowed(state);
        int[] targets = moves.behind(state);
        for (int place = 0; place < tokens.length; place++) {
            next[from + ofTokens[tokens[place]]] = targets[place];
        }
        int allowed = tokens.length;
        int[] plain = moves.behindPlain(state);
        for (int one = 2; one < count && plain.length > 0; one++) {
            int target = plain[plainLengths[one]];
            if (plainLengths[one] > 0 && target >= 0) {
                next[from + one] = target;
                allowed++;
            }
        }
        return allowed;
    }
}
