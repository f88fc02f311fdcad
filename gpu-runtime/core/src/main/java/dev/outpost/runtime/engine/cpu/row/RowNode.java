package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;

/** What an instruction computes, or stands for, while a {@link RowProgram} is written: a number of its own, or an earlier one's again. */
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
