package dev.outpost.runtime.explain;

import dev.outpost.protocol.ir.Bindings;
import dev.outpost.protocol.ir.Graph;

/**
 * The names of a segment's values in texts: {@code %} and the client's id if the value has one, otherwise {@code v} and
 * its number.
 */
final class ValueNames {
    private ValueNames() {}

    /** Returns the names by the numbers of the values. */
    static String[] of(Bindings bindings, Graph graph) {
        String[] all = new String[graph.valueCount()];
        int inputs = graph.structure().inputCount();
        int output = 0;
        for (int value = 0; value < all.length; value++) {
            if (value < inputs) {
                all[value] = "%" + bindings.inputs()[value];
            } else if (graph.structure().isKept(value - inputs)) {
                all[value] = "%" + bindings.outputs()[output++];
            } else {
                all[value] = "v" + value;
            }
        }
        return all;
    }
}
