package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import java.util.List;

/**
 * The arrays and offsets of some places of a {@link RowProgram}, for a thread's current rows. It is created for each run of a kernel, so
 * its constructor is a plain loop.
 */
final class RowSpots {
    private final float[][] arrays;
    private final int[] offsets;
    private final int[] bases;
    private final int[] slopes;

    RowSpots(List<Place> of, RowPlaces places) {
        int count = of.size();
        arrays = new float[count][];
        offsets = new int[count];
        bases = new int[count];
        slopes = new int[count];
        for (int number = 0; number < count; number++) {
            Place place = of.get(number);
            arrays[number] = places.array(place);
            bases[number] = places.base(place);
            slopes[number] = places.slope(place);
        }
    }

    int count() {
        return arrays.length;
    }

    float[][] arrays() {
        return arrays;
    }

    /** Returns the offset of each place in its array after the latest {@link #move}. The caller may advance them. */
    int[] offsets() {
        return offsets;
    }

    /** Moves to a row. Uses only additions and multiplications, since it runs for every few rows. */
    void move(int row) {
        for (int place = 0; place < offsets.length; place++) {
            offsets[place] = bases[place] + row * slopes[place];
        }
    }
}
