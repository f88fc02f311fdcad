package dev.outpost.internal.ops;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * An einsum equation applied to operands: one label for each of their dimensions. Letters are their code points; the
 * dimensions that an ellipsis stands for count down from -1, the last one.
 *
 * @param inputs the labels of each operand
 * @param output the labels of the result
 */
public record EinsumEquation(String text, List<List<Integer>> inputs, List<Integer> output) {
    private static final String ELLIPSIS = "...";

    public static EinsumEquation parse(String text, Shape... operands) {
        String compact = ArgumentChecks.required(text, "the equation").replace(" ", "");
        String[] sides = compact.split("->", -1);
        String[] terms = sides[0].split(",", -1);
        if (sides.length > 2 || terms.length != operands.length) {
            throw problem(text, "an equation for " + operands.length + " operands is needed");
        }
        List<List<Integer>> inputs = new ArrayList<>();
        for (int index = 0; index < terms.length; index++) {
            inputs.add(labels(text, terms[index], operands[index]));
        }
        int widest =
                inputs.stream().mapToInt(EinsumEquation::ellipsisWidth).max().orElse(0);
        List<Integer> output = sides.length == 2 ? labels(text, sides[1], widest) : implicit(inputs, widest);
        requireOutput(text, inputs, output);
        return new EinsumEquation(text, inputs, output);
    }

    private static List<Integer> labels(String text, String term, Shape operand) {
        int letters = term.replace(ELLIPSIS, "").length();
        int width = operand.rank() - letters;
        if (width < 0 || width > 0 && !term.contains(ELLIPSIS)) {
            throw problem(text, "the term " + term + " does not fit a tensor of shape " + operand);
        }
        return labels(text, term, width);
    }

    private static List<Integer> labels(String text, String term, int ellipsisWidth) {
        List<Integer> labels = new ArrayList<>();
        int ellipsis = term.indexOf(ELLIPSIS);
        for (int at = 0; at < term.length(); at++) {
            char letter = term.charAt(at);
            if (at == ellipsis) {
                for (int label = -ellipsisWidth; label < 0; label++) {
                    labels.add(label);
                }
                at += ELLIPSIS.length() - 1;
            } else if (letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z') {
                labels.add((int) letter);
            } else {
                throw problem(text, "labels are letters, got " + letter);
            }
        }
        return labels;
    }

    private static int ellipsisWidth(List<Integer> labels) {
        return (int) labels.stream().filter(label -> label < 0).count();
    }

    private static List<Integer> implicit(List<List<Integer>> inputs, int ellipsisWidth) {
        TreeMap<Integer, Integer> counts = new TreeMap<>();
        inputs.forEach(labels -> labels.forEach(label -> counts.merge(label, 1, Integer::sum)));
        List<Integer> output = new ArrayList<>();
        for (int label = -ellipsisWidth; label < 0; label++) {
            output.add(label);
        }
        counts.forEach((label, count) -> {
            if (label >= 0 && count == 1) {
                output.add(label);
            }
        });
        return output;
    }

    private static void requireOutput(String text, List<List<Integer>> inputs, List<Integer> output) {
        for (int label : output) {
            if (inputs.stream().noneMatch(labels -> labels.contains(label))) {
                throw problem(text, "the result's label " + name(label) + " is in no operand");
            }
        }
        if (output.stream().distinct().count() != output.size()) {
            throw problem(text, "the result repeats a label");
        }
    }

    /** Returns the name of a label for messages. */
    public static String name(int label) {
        return label < 0 ? ELLIPSIS : Character.toString(label);
    }

    public OpException problem(String what) {
        return problem(text, what);
    }

    private static OpException problem(String text, String what) {
        return new OpException("einsum", what + ", got " + text);
    }
}
