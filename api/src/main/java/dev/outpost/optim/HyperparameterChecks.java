package dev.outpost.optim;

import dev.outpost.types.OpException;

/** Checks hyperparameters. */
final class HyperparameterChecks {
    private HyperparameterChecks() {}

    static double atLeastZero(String name, double value) {
        if (!(value >= 0)) {
            throw problem("the " + name + " must not be negative, got " + value);
        }
        return value;
    }

    /** Returns the value if it is in [0, 1); fails otherwise. */
    static double fraction(String name, double value) {
        if (!(value >= 0 && value < 1)) {
            throw problem("the " + name + " must be at least 0 and below 1, got " + value);
        }
        return value;
    }

    static OpException problem(String sentence) {
        return new OpException("optimizer", sentence);
    }
}
