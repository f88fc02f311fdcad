package dev.outpost.examples;

import dev.outpost.data.*;
import dev.outpost.nn.*;

/** The classifier for handwritten digits. */
final class DigitsModel {
    private static final double DROPOUT = 0.2;
    private static final int DIGITS = 10;

    private DigitsModel() {}

    static Sequential create() {
        return new Sequential(
                new Linear(Digits.PIXELS, 256),
                new ReLU(),
                new Dropout(DROPOUT),
                new Linear(256, 128),
                new ReLU(),
                new Dropout(DROPOUT),
                new Linear(128, DIGITS));
    }
}
