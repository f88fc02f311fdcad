package dev.outpost.bench.peers;

import dev.outpost.bench.peers.contestant.Workload;

/** Checks that two contestants computed the same. */
public record ResultAgreement(Workload workload) {
    /**
     * Throws {@link Disagreement} if results differ from those of a trusted contestant, or if the trusted results are
     * unusable.
     */
    public void require(String trusted, float[] expected, String name, float[] actual) {
        double largest = largestMagnitude(trusted, expected);
        if (actual.length != expected.length) {
            throw disagreement(name + " has " + actual.length + " elements and " + trusted + " " + expected.length);
        }
        for (int index = 0; index < expected.length; index++) {
            double error = Math.abs((double) actual[index] - expected[index]) / largest;
            // The negated comparison also rejects a NaN.
            if (!(error <= workload.tolerance())) {
                throw disagreement("at " + index + " " + name + " has " + actual[index] + " and " + trusted + " "
                        + expected[index] + ", " + error + " of the largest magnitude apart where "
                        + workload.tolerance() + " is allowed");
            }
        }
    }

    private double largestMagnitude(String trusted, float[] expected) {
        double largest = 0;
        for (float value : expected) {
            largest = Math.max(largest, Math.abs(value));
        }
        if (!(largest > 0 && largest < Float.POSITIVE_INFINITY)) {
            throw disagreement(trusted + " has nothing to compare with, its largest magnitude is " + largest);
        }
        return largest;
    }

    private Disagreement disagreement(String what) {
        return new Disagreement(workload.name() + ": " + what);
    }
}
