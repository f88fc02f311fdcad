package dev.outpost.provider.k8s.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the objects of a selection by lists and a watch. Lists are authoritative. The watch only reports changes sooner, so a watch that
 * ends or lags behind does no harm. A watch whose connection was lost silently is replaced after a list has shown a change that the watch
 * did not report.
 */
public final class ObjectWatcher<T extends HasMetadata> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectWatcher.class);

    private final FilterWatchListDeletable<T, KubernetesResourceList<T>, Resource<T>> selection;
    private final Runnable news;
    private final ReentrantLock lock = new ReentrantLock();
    private final ObjectCache<T> sightings = new ObjectCache<>();
    private Watching watching;
    private boolean closed;

    /**
     * Makes a watcher. It sends no request before {@link #refresh}.
     *
     * @param news called when a watch has reported a change or has ended; must not block
     */
    public ObjectWatcher(FilterWatchListDeletable<T, KubernetesResourceList<T>, Resource<T>> selection, Runnable news) {
        this.selection = selection;
        this.news = news;
    }

    /** Adds an object that is known from elsewhere, for example from the answer to its creation. */
    public void seen(T object) {
        change(() -> sightings.put(object));
    }

    /** Lists the objects, and watches for changes after the list unless a watch is open. */
    public void refresh() {
        KubernetesResourceList<T> list = CompleteList.of(selection);
        Watching opening = new Watching();
        Watching silent = read(() -> {
            boolean isNews = !sightings.isUpToDate(list.getItems());
            Watching open = watching;
            boolean isSilent = open != null && open.isSilent(isNews);
            sightings.list(list.getItems());
            watching = (open == null || isSilent) && !closed ? opening : open;
            return isSilent ? open : null;
        });
        if (silent != null) {
            LOG.info("a watch of the API server has fallen silent, and is opened again");
            silent.close();
        }
        if (isCurrent(opening)) {
            opening.open(list.getMetadata().getResourceVersion());
        }
    }

    /** Returns the newest existing object, or the last object that existed. */
    public Optional<T> newest() {
        return read(sightings::newest);
    }

    /** Returns all existing objects, in no order. */
    public List<T> present() {
        return read(sightings::present);
    }

    /** Returns true if an object existed and none does now. */
    public boolean isGone() {
        return read(sightings::isGone);
    }

    public boolean isWatched() {
        return read(() -> watching != null);
    }

    @Override
    public void close() {
        Watching open = read(() -> watching);
        change(() -> {
            closed = true;
            watching = null;
        });
        if (open != null) {
            open.close();
        }
    }

    private boolean isCurrent(Watching candidate) {
        return read(() -> watching == candidate);
    }

    private void change(Runnable body) {
        read(() -> {
            body.run();
            return null;
        });
    }

    private <R> R read(Supplier<R> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    /** One watch. Its reports are ignored after it was replaced. */
    private final class Watching implements Watcher<T> {
        private volatile Watch watch;
        private boolean isBehind;

        /**
         * Returns true if a list has shown a change that the watch has not reported since. A report on its way
         * arrives within the time between two lists. Called under the lock.
         *
         * @param isNews true if this list also shows a change that the watch has not reported
         */
        boolean isSilent(boolean isNews) {
            boolean isSilent = isBehind;
            isBehind = isNews;
            return isSilent;
        }

        void open(String resourceVersion) {
            ListOptions from = new ListOptionsBuilder()
                    .withResourceVersion(resourceVersion)
                    .build();
            try {
                watch = selection.watch(from, this);
            } catch (RuntimeException failure) {
                whileCurrent(() -> watching = null);
                throw failure;
            }
            if (!isCurrent(this)) {
                watch.close();
            }
        }

        /** Closes the watch. A watch that is still being opened closes itself. */
        void close() {
            Watch opened = watch;
            if (opened != null) {
                opened.close();
            }
        }

        @Override
        public void eventReceived(Action action, T object) {
            notifyListener(() -> take(action, object));
        }

        @Override
        public void onClose(WatcherException cause) {
            notifyListener(() -> watching = null);
        }

        private void take(Action action, T object) {
            switch (action) {
                case ADDED, MODIFIED -> sightings.put(object);
                case DELETED -> sightings.remove(object);
                case BOOKMARK, ERROR -> LOG.debug("a watch said {}", action);
            }
        }

        private void notifyListener(Runnable body) {
            if (whileCurrent(body)) {
                news.run();
            }
        }

        private boolean whileCurrent(Runnable body) {
            return read(() -> {
                boolean current = watching == this;
                if (current) {
                    isBehind = false;
                    body.run();
                }
                return current;
            });
        }
    }
}
