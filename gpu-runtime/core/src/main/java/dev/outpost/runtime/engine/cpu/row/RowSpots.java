package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.runtime.engine.cpu.row.RowProgram.Place;
import java.util.List;

/** Where some places of a {@link RowProgram} lie for the rows that one thread is at. Made for every run of a kernel, so in plain loops. */
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

    /** Where each begins in its array, as of the latest {@link #move}; who goes on from there may change them. */
    int[] offsets() {
        return offsets;
    }

    /** Sums and products alone: it is done for every few rows. */
    void move(int row) {
        for (int place = 0; place < offsets.length; place++) {
            offsets[place] = bases[place] + row * slopes[place];
        }
    }
}
