package dev.outpost.metrics;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.data.DataLoader;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Collection;
import java.util.Iterator;
import java.util.function.DoubleSupplier;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A loop with a {@link ProgressBar}: rate, values such as the loss, and the time left. In a terminal the bar is redrawn in place; a pipe or
 * file receives a plain line from time to time. Each iteration has its own bar.
 *
 * {@snippet file="DataExamplesTest.java" region="progress"}
 *
 * <p>A loop that ends early closes it to end the line and the loading of data. Used by one thread.
 *
 * @param <T> an element of the loop
 */
public final class Progress<T> implements Iterable<T>, AutoCloseable {
    private final Iterable<T> elements;
    private final long total;
    private LongFunction<ProgressBar> newBar = ProgressBar::new;
    private String title = "";
    private String unit = "steps";
    private ToDoubleFunction<? super T> size = element -> 1;
    private @Nullable Loop loop;

    private Progress(Iterable<T> elements, long total) {
        this.elements = ArgumentChecks.required(elements, "the elements");
        this.total = total;
    }

    /** Shows the progress over the batches of an epoch. */
    public static <B> Progress<B> of(DataLoader<B> loader) {
        return new Progress<>(ArgumentChecks.required(loader, "the loader"), loader.batches());
    }

    /** Shows the progress over a collection. */
    public static <T> Progress<T> of(Collection<T> elements) {
        return new Progress<>(
                elements, ArgumentChecks.required(elements, "the elements").size());
    }

    /** Shows the progress over elements of a known number; a negative number shows no end. */
    public static <T> Progress<T> of(Iterable<T> elements, long total) {
        return new Progress<>(elements, total);
    }

    /** Sets the text in front of the bar, such as {@code epoch 3}. */
    public Progress<T> title(String text) {
        title = text;
        return this;
    }

    /**
     * Sets what the rate counts, such as images.
     *
     * @param sizeOfElement the number of them in an element
     */
    public Progress<T> unit(String plural, ToDoubleFunction<? super T> sizeOfElement) {
        unit = plural;
        size = sizeOfElement;
        return this;
    }

    /**
     * Draws bars that this function makes, instead of bars on standard error.
     *
     * @param bar called with the number of elements at the beginning of each iteration
     */
    public Progress<T> bar(LongFunction<ProgressBar> bar) {
        newBar = bar;
        return this;
    }

    /** Shows a value behind the bar. Called in the loop. */
    public Progress<T> show(String name, double value) {
        started().bar.show(name, value);
        return this;
    }

    /**
     * Shows a value behind the bar, but calls the function only if the bar is about to be drawn. So the loop waits for the machine
     * seldom. Called in the loop.
     */
    public Progress<T> show(String name, DoubleSupplier value) {
        started().bar.show(name, value);
        return this;
    }

    /** Prints a line of its own above the bar. Called in the loop. */
    public void message(String line) {
        started().bar.message(line);
    }

    private Loop started() {
        if (loop == null) {
            throw new OutpostException(FaultKind.USER, "Progress: the loop has not begun; call this in its body");
        }
        return loop;
    }

    @Override
    public Iterator<T> iterator() {
        close();
        loop = new Loop(elements.iterator(), newBar.apply(total).title(title).unit(unit));
        return loop;
    }

    /** Ends the iteration under way, if there is one, and its line. */
    @Override
    public void close() {
        if (loop != null) {
            loop.close();
        }
    }

    private final class Loop implements Iterator<T> {
        private final Iterator<T> source;
        private final ProgressBar bar;
        private @Nullable T current;

        private Loop(Iterator<T> source, ProgressBar bar) {
            this.source = source;
            this.bar = bar;
        }

        @Override
        public boolean hasNext() {
            count();
            boolean hasMore = source.hasNext();
            if (!hasMore) {
                bar.close();
            }
            return hasMore;
        }

        @Override
        public T next() {
            count();
            current = source.next();
            return current;
        }

        /** Counts the element whose turn has ended. */
        private void count() {
            T done = current;
            if (done != null) {
                current = null;
                bar.step(size.applyAsDouble(done));
            }
        }

        private void close() {
            current = null;
            bar.close();
            if (source instanceof AutoCloseable closeable) {
                try {
                    closeable.close();
                } catch (RuntimeException failure) {
                    throw failure;
                } catch (Exception failure) {
                    throw new OutpostException(
                            FaultKind.USER, "Progress: the elements cannot be closed: " + failure, failure);
                }
            }
        }
    }
}
