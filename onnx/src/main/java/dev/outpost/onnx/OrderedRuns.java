package dev.outpost.onnx;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Starts a bounded number of batches ahead of the results that the caller takes. Used by one thread. */
final class OrderedRuns implements Iterator<ModelOutputs> {
    private final Iterator<? extends Map<String, ?>> batches;
    private final Function<Map<String, ?>, PipelineRun> begin;
    private final int max;
    private final Deque<PipelineRun> underWay = new ArrayDeque<>();

    OrderedRuns(Iterator<? extends Map<String, ?>> batches, Function<Map<String, ?>, PipelineRun> begin, int max) {
        this.batches = batches;
        this.begin = begin;
        this.max = max;
    }

    Stream<ModelOutputs> stream() {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    @Override
    public boolean hasNext() {
        return !underWay.isEmpty() || batches.hasNext();
    }

    @Override
    public ModelOutputs next() {
        while (underWay.size() < max && batches.hasNext()) {
            underWay.add(begin.apply(batches.next()));
        }
        if (underWay.isEmpty()) {
            throw new NoSuchElementException();
        }
        return underWay.remove().await();
    }
}
