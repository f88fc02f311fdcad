package dev.outpost.nn;

import java.util.List;

/**
 * The differences in names between a state and the module that loaded it.
 *
 * @param missing names that the module has and the state lacks
 * @param unexpected names that the state has and the module lacks
 */
public record IncompatibleKeys(List<String> missing, List<String> unexpected) {

    public boolean isEmpty() {
        return missing.isEmpty() && unexpected.isEmpty();
    }
}
