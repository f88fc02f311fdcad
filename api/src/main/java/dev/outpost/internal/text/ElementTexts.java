package dev.outpost.internal.text;

import dev.outpost.internal.ops.HostElements;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The elements of a tensor as texts of one width, all in the same notation. */
public final class ElementTexts {
    private final String[] texts;
    private final int width;

    private ElementTexts(String[] texts, int width) {
        this.texts = texts;
        this.width = Math.max(1, width);
    }

    public static ElementTexts of(HostElements elements) {
        IntStream all = IntStream.range(0, elements.count());
        return switch (elements.dtype()) {
            case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 ->
                ofDoubles(all.mapToDouble(elements::getDouble).toArray());
            case INT64, INT32, INT16, INT8, UINT8 ->
                ofTexts(all.mapToObj(index -> Long.toString(elements.getLong(index))));
            case BOOL -> ofTexts(all.mapToObj(index -> elements.getDouble(index) != 0 ? "True" : "False"));
        };
    }

    /** Zeros, infinities and NaN affect neither the notation nor the width, as in PyTorch. */
    private static ElementTexts ofDoubles(double[] values) {
        double[] telling = Arrays.stream(values)
                .filter(value -> value != 0 && Double.isFinite(value))
                .toArray();
        Notation notation = Notation.of(telling);
        int width = Arrays.stream(telling)
                .mapToInt(value -> notation.text(value).length())
                .max()
                .orElse(1);
        String[] texts = Arrays.stream(values).mapToObj(notation::text).toArray(String[]::new);
        return new ElementTexts(texts, width);
    }

    private static ElementTexts ofTexts(Stream<String> elements) {
        String[] texts = elements.toArray(String[]::new);
        return new ElementTexts(
                texts, Arrays.stream(texts).mapToInt(String::length).max().orElse(1));
    }

    public int width() {
        return width;
    }

    /** Returns the element at a row-major index, right-aligned. */
    public String text(int index) {
        String text = texts[index];
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
