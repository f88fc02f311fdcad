package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;

/** The value of an instruction while a {@link RowProgram} is compiled. Instructions that only copy share the node of their operand. */
final class RowNode {
    final boolean isWide;
    Place place;
    /** The narrow value repeated along its row; null until an instruction needs it in this form. */
    Place spread;

    int lastUse;

    RowNode(boolean isWide) {
        this.isWide = isWide;
    }
}
