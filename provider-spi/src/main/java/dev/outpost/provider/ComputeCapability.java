package dev.outpost.provider;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * NVIDIA's version number of a GPU's instruction set and features, such as 8.9.
 *
 * @see <a href="https://developer.nvidia.com/cuda-gpus">the list by NVIDIA</a>
 */
public record ComputeCapability(int major, int minor) implements Comparable<ComputeCapability> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})");
    private static final Comparator<ComputeCapability> ORDER =
            Comparator.comparingInt(ComputeCapability::major).thenComparingInt(ComputeCapability::minor);

    /**
     * Parses a compute capability such as {@code 8.9}.
     *
     * {@snippet file="ProviderExamplesTest.java" region="computeCapability"}
     */
    public static ComputeCapability parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected a compute capability such as 8.9, got \"" + text + "\"");
        }
        return new ComputeCapability(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    @Override
    public int compareTo(ComputeCapability other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
