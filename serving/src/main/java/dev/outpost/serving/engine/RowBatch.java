package dev.outpost.serving.engine;

import dev.outpost.HostTensor;
import dev.outpost.internal.publish.StoredProgram;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs a program by rows: concatenates the rows of several calls, and splits them into pieces of sizes for which the
 * program has a trace. A smaller piece is padded with its last row, and the results of the padding are dropped.
 */
final class RowBatch {
    private RowBatch() {}

    /** Runs the calls, and returns the outputs of each. */
    static List<List<HostTensor>> run(StoredProgram program, List<List<HostTensor>> calls) {
        int max = program.file().maxRows();
        List<HostTensor> all = joined(calls);
        long rows = all.getFirst().shape().size(0);
        List<List<HostTensor>> pieces = new ArrayList<>();
        for (long from = 0; from < rows; from += max) {
            long begin = from;
            long end = Math.min(rows, from + max);
            pieces.add(piece(
                    program, all.stream().map(input -> input.slice(begin, end)).toList(), (int) (end - begin)));
        }
        return divided(joined(pieces), calls);
    }

    private static List<HostTensor> piece(StoredProgram program, List<HostTensor> inputs, int rows) {
        int traced = Integer.highestOneBit(rows) == rows ? rows : 2 * Integer.highestOneBit(rows);
        int[] indices =
                IntStream.range(0, traced).map(row -> Math.min(row, rows - 1)).toArray();
        List<HostTensor> filled = traced == rows
                ? inputs
                : inputs.stream().map(input -> input.rows(indices)).toList();
        return program.call(filled).stream()
                .map(output -> output.slice(0, rows))
                .toList();
    }

    private static List<List<HostTensor>> divided(List<HostTensor> outputs, List<List<HostTensor>> calls) {
        List<List<HostTensor>> divided = new ArrayList<>();
        long from = 0;
        for (List<HostTensor> call : calls) {
            long begin = from;
            long end = from + call.getFirst().shape().size(0);
            divided.add(outputs.stream().map(output -> output.slice(begin, end)).toList());
            from = end;
        }
        return divided;
    }

    /** Concatenates the tensors of each place. */
    private static List<HostTensor> joined(List<List<HostTensor>> parts) {
        return IntStream.range(0, parts.getFirst().size())
                .mapToObj(place ->
                        join(parts.stream().map(part -> part.get(place)).toList()))
                .toList();
    }

    private static HostTensor join(List<HostTensor> parts) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        DType dtype = parts.getFirst().dtype();
        long[] sizes = parts.getFirst().shape().toArray();
        sizes[0] = parts.stream().mapToLong(part -> part.shape().size(0)).sum();
        int length = parts.stream().mapToInt(part -> part.bytes().length).reduce(0, Math::addExact);
        byte[] bytes = Arrays.copyOf(parts.getFirst().bytes(), length);
        int at = parts.getFirst().bytes().length;
        for (HostTensor part : parts.subList(1, parts.size())) {
            System.arraycopy(part.bytes(), 0, bytes, at, part.bytes().length);
            at += part.bytes().length;
        }
        return HostTensor.ofBytes(dtype, Shape.of(sizes), bytes);
    }
}
