package dev.outpost.data;

import dev.outpost.HostTensor;
import dev.outpost.types.OpException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * 1,797 handwritten digits of 8 by 8 pixels, for a first classifier (Alpaydin and Kaynak, "Optical Recognition of
 * Handwritten Digits", UCI Machine Learning Repository, 1998). Inputs are float32 {@code [n, 64]} in [0, 1], targets
 * int64 {@code [n]}.
 */
public final class Digits {
    /** The number of pixels of an image. */
    public static final int PIXELS = 64;

    private static final String RESOURCE = "digits.csv.gz";
    private static final float INK = 16;

    /**
     * Two parts without a common image.
     *
     * @param train the images to learn from
     * @param test the images that are held out
     */
    public record Split(TensorDataset train, TensorDataset test) {}

    private Digits() {}

    /** Loads all images. */
    public static TensorDataset load() {
        try (InputStream resource = Digits.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new OpException("digits", "the class path lacks dev/outpost/data/" + RESOURCE);
            }
            return parse(resource);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Loads all images, and holds some out. Equal seeds hold out the same images. */
    public static Split split(long seed, int heldOut) {
        TensorDataset all = load();
        if (heldOut < 0 || heldOut > all.size()) {
            throw new OpException("digits", "there are " + all.size() + " images, got " + heldOut + " to hold out");
        }
        int[] order = Permutation.of(all.size(), seed);
        int[] test = Arrays.copyOf(order, heldOut);
        int[] train = Arrays.copyOfRange(order, heldOut, order.length);
        return new Split(all.rows(train), all.rows(test));
    }

    private static TensorDataset parse(InputStream compressed) throws IOException {
        var reader =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(compressed), StandardCharsets.US_ASCII));
        List<String> lines = reader.lines().toList();
        float[] pixels = new float[lines.size() * PIXELS];
        long[] labels = new long[lines.size()];
        for (int image = 0; image < labels.length; image++) {
            String[] columns = lines.get(image).split(",");
            for (int pixel = 0; pixel < PIXELS; pixel++) {
                pixels[image * PIXELS + pixel] = Integer.parseInt(columns[pixel]) / INK;
            }
            labels[image] = Long.parseLong(columns[PIXELS]);
        }
        return new TensorDataset(HostTensor.of(pixels, labels.length, PIXELS), HostTensor.of(labels, labels.length));
    }
}
