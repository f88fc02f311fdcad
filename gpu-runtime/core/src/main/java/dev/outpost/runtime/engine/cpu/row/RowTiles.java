package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.row.RowProgram.Kind;
import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import java.util.ArrayDeque;
import java.util.Deque;

/** Allocates the tiles of a {@link RowProgram} while it is compiled. The last released tile is reused first. */
final class RowTiles {
    /** Tiles of one kind. */
    static final class Pile {
        private final Kind kind;
        private final Deque<Integer> free = new ArrayDeque<>();
        private int max;

        private Pile(Kind kind) {
            this.kind = kind;
        }

        /** Returns the largest number of tiles that were in use at the same time. */
        int most() {
            return max;
        }

        private Place take() {
            return new Place(kind, free.isEmpty() ? max++ : free.pop());
        }
    }

    private final Pile wide = new Pile(Kind.WIDE);
    private final Pile narrow = new Pile(Kind.NARROW);

    Pile wide() {
        return wide;
    }

    Pile narrow() {
        return narrow;
    }

    Place take(boolean isWide) {
        return (isWide ? wide : narrow).take();
    }

    /** Releases a tile. Ignores null and other places. */
    void give(Place place) {
        if (place != null && place.kind() == Kind.WIDE) {
            wide.free.push(place.index());
        } else if (place != null && place.kind() == Kind.NARROW) {
            narrow.free.push(place.index());
        }
    }
}
