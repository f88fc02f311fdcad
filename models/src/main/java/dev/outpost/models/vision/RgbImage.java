package dev.outpost.models.vision;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.awt.image.BufferedImage;
import java.util.function.DoubleUnaryOperator;

/**
 * An image of red, green and blue with eight bits each. Resizes as Pillow does: a filter along rows and then along columns,
 * with 22 fractional bits in the weights, and rounding to eight bits between the two. Immutable.
 *
 * @param values {@code [height, width, 3]}, from 0 to 255
 */
record RgbImage(int width, int height, int[] values) {
    private static final int CHANNELS = 3;
    private static final int BITS = 22;

    static RgbImage of(BufferedImage image) {
        int[] values = new int[image.getHeight() * image.getWidth() * CHANNELS];
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int color = image.getRGB(x, y);
                int at = (y * image.getWidth() + x) * CHANNELS;
                values[at] = color >> 16 & 0xFF;
                values[at + 1] = color >> 8 & 0xFF;
                values[at + 2] = color & 0xFF;
            }
        }
        return new RgbImage(image.getWidth(), image.getHeight(), values);
    }

    /** The weights of neighbours for each index along a line. */
    private record Filter(int[] first, int[][] weights) {
        static Filter of(int from, int to, int kind) {
            double scale = (double) from / to;
            double stretch = Math.max(scale, 1);
            double support = (kind == 3 ? 2 : 1) * stretch;
            DoubleUnaryOperator curve = kind == 3 ? Filter::cubic : Filter::linear;
            int[] first = new int[to];
            int[][] weights = new int[to][];
            for (int place = 0; place < to; place++) {
                double center = (place + 0.5) * scale;
                int begin = Math.max(0, (int) (center - support + 0.5));
                int end = Math.min(from, (int) (center + support + 0.5));
                double[] exact = new double[end - begin];
                double sum = 0;
                for (int x = 0; x < exact.length; x++) {
                    exact[x] = curve.applyAsDouble((x + begin - center + 0.5) / stretch);
                    sum += exact[x];
                }
                first[place] = begin;
                weights[place] = new int[exact.length];
                for (int x = 0; x < exact.length; x++) {
                    double weight = exact[x] / sum * (1 << BITS);
                    weights[place][x] = (int) (weight < 0 ? weight - 0.5 : weight + 0.5);
                }
            }
            return new Filter(first, weights);
        }

        private static double linear(double x) {
            return Math.max(0, 1 - Math.abs(x));
        }

        /** Returns the cubic filter of Keys (1981) with a parameter of −0.5. */
        private static double cubic(double x) {
            double a = -0.5;
            double d = Math.abs(x);
            if (d < 1) {
                return ((a + 2) * d - (a + 3)) * d * d + 1;
            }
            return d < 2 ? (((d - 5) * d + 8) * d - 4) * a : 0;
        }

        int at(int place, int[] values, int origin, int step) {
            long sum = 1L << BITS - 1;
            for (int x = 0; x < weights[place].length; x++) {
                sum += (long) weights[place][x] * values[origin + (first[place] + x) * step];
            }
            return Math.clamp(sum >> BITS, 0, 255);
        }
    }

    /** @param kind Pillow's number of a filter: 2 is bilinear, 3 bicubic */
    RgbImage resized(int toWidth, int toHeight, int kind) {
        if (kind != 2 && kind != 3) {
            throw new OutpostException(
                    FaultKind.USER, "images: resampling by 2 (bilinear) and 3 (bicubic) is known, got " + kind);
        }
        return wide(toWidth, kind).tall(toHeight, kind);
    }

    private RgbImage wide(int to, int kind) {
        if (to == width) {
            return this;
        }
        Filter filter = Filter.of(width, to, kind);
        int[] result = new int[height * to * CHANNELS];
        for (int place = 0; place < result.length; place++) {
            int channel = place % CHANNELS;
            int x = place / CHANNELS % to;
            int y = place / CHANNELS / to;
            result[place] = filter.at(x, values, y * width * CHANNELS + channel, CHANNELS);
        }
        return new RgbImage(to, height, result);
    }

    private RgbImage tall(int to, int kind) {
        if (to == height) {
            return this;
        }
        Filter filter = Filter.of(height, to, kind);
        int[] result = new int[to * width * CHANNELS];
        for (int place = 0; place < result.length; place++) {
            int inRow = place % (width * CHANNELS);
            int y = place / (width * CHANNELS);
            result[place] = filter.at(y, values, inRow, width * CHANNELS);
        }
        return new RgbImage(width, to, result);
    }

    /** Returns the center of the image. Areas outside of it are black. */
    RgbImage cropped(int toWidth, int toHeight) {
        int left = Math.floorDiv(width - toWidth, 2);
        int top = Math.floorDiv(height - toHeight, 2);
        int[] result = new int[toHeight * toWidth * CHANNELS];
        for (int y = 0; y < toHeight; y++) {
            for (int x = 0; x < toWidth; x++) {
                boolean isInside = y + top >= 0 && y + top < height && x + left >= 0 && x + left < width;
                if (isInside) {
                    System.arraycopy(
                            values,
                            ((y + top) * width + x + left) * CHANNELS,
                            result,
                            (y * toWidth + x) * CHANNELS,
                            CHANNELS);
                }
            }
        }
        return new RgbImage(toWidth, toHeight, result);
    }
}
