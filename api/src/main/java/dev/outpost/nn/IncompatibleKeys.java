package dev.outpost.nn;

import java.util.List;

/**
 * How a state and the module that loaded it differ in names.
 *
 * @param missing names that the module has and the state lacks
 * @param unexpected names that the state has and the module lacks
 */
public record IncompatibleKeys(List<String> missing, List<String> unexpected) {

    public boolean isEmpty() {
        return missing.isEmpty() && unexpected.isEmpty();
    }
}
