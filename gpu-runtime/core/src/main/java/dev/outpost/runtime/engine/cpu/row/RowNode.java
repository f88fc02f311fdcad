package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;

/** The value of an instruction while a {@link RowProgram} is written: one of its own, or an earlier one's again. */
final class RowNode {
    final boolean isWide;
    Place place;
    /** The same all along its row, once somebody wants it so. */
    Place spread;

    int lastUse;

    RowNode(boolean isWide) {
        this.isWide = isWide;
    }
}
