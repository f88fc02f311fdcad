package dev.outpost.serving.gateway;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.inference.BatchStatistics;
import dev.outpost.rest.deployment.GatewayOrders.ReplicaOrder;
import dev.outpost.rest.deployment.GatewayReport.ReplicaReport;
import dev.outpost.rest.deployment.ReplicaState;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.serving.engine.ModelLoader;
import dev.outpost.serving.engine.ServedModel;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** A deployment's model on one machine to which this gateway is attached. Thread-safe. */
final class AttachedReplica implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(AttachedReplica.class);
    private static final String PROVIDER = "outpost";

    private final String deployment;
    private final ReplicaOrder order;
    private final ModelLoader loader;
    private final Runnable changed;
    private final Supplier<RemoteMachine> opening;
    private final Thread thread;
    private RemoteMachine machine;
    private ServedModel model;
    private String failure;
    private boolean isAdmitted;
    private boolean isDraining;
    private boolean isClosed;
    private int reserved;

    /** @param changed called when the replica's report changes */
    AttachedReplica(String deployment, ReplicaOrder order, ModelLoader loader, Runnable changed) {
        this(
                deployment,
                order,
                loader,
                changed,
                () -> RemoteMachine.attach(PROVIDER, order.machine().toString(), new MachineOptions()));
    }

    /** @param opening connects to the machine */
    AttachedReplica(
            String deployment,
            ReplicaOrder order,
            ModelLoader loader,
            Runnable changed,
            Supplier<RemoteMachine> opening) {
        this.deployment = deployment;
        this.order = order;
        this.loader = loader;
        this.changed = changed;
        this.opening = opening;
        thread = Thread.ofPlatform()
                .name("outpost-replica-" + order.machine())
                .daemon()
                .unstarted(this::load);
    }

    void start() {
        thread.start();
    }

    private void load() {
        RemoteMachine opened = null;
        try {
            opened = opening.get();
            opened.awaitReady();
            ServedModel made = made(opened);
            loaded(opened, made);
        } catch (RuntimeException failure) {
            closeQuietly(opened);
            fail(failure.getMessage());
        } catch (Error failure) {
            LOG.errorf(failure, "deployment %s: machine %s", deployment, order.machine());
            closeQuietly(opened);
            fail(failure.toString());
        }
    }

    private ServedModel made(RemoteMachine opened) {
        return ProgramDownload.isProgram(order.model())
                ? ProgramDownload.load(opened, deployment, order.model(), loader.waiting(), this::fail)
                : loader.load(opened, deployment, order.model(), order.dtype(), this::fail);
    }

    private void loaded(RemoteMachine opened, ServedModel made) {
        boolean isUnwanted;
        synchronized (this) {
            isUnwanted = isClosed;
            if (!isUnwanted) {
                machine = opened;
                model = made;
            }
        }
        if (isUnwanted) {
            made.close();
            closeQuietly(opened);
        }
        changed.run();
    }

    private void fail(String why) {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            failure = why == null ? "it failed" : why;
        }
        LOG.warnf("deployment %s: machine %s: %s", deployment, order.machine(), why);
        changed.run();
    }

    // ---- requests

    /** Admits requests, because the backend has received the report that the replica serves. */
    synchronized void admit() {
        isAdmitted = true;
    }

    synchronized void drain() {
        isDraining = true;
    }

    /**
     * Reserves a place for one more request. Returns false if the replica accepts no requests. Otherwise the caller
     * calls {@link #release} once the request has begun.
     */
    synchronized boolean reserve() {
        if (!isAdmitted || isDraining || isClosed || failure != null || model == null) {
            return false;
        }
        reserved++;
        return true;
    }

    /** Releases a reservation. Calls {@link HeldRequests} outside of this lock, because that class calls replicas under its own lock. */
    void release() {
        boolean isNews;
        synchronized (this) {
            reserved--;
            isNews = isDraining;
        }
        if (isNews) {
            changed.run();
        }
    }

    synchronized boolean isLoaded() {
        return model != null && failure == null;
    }

    synchronized int requests() {
        return reserved + statistics().map(all -> all.running() + all.waiting()).orElse(0);
    }

    private Optional<BatchStatistics> statistics() {
        return model instanceof GeneratingModel generating && failure == null
                ? Optional.of(generating.statistics())
                : Optional.empty();
    }

    int revision() {
        return order.revision();
    }

    synchronized ServedModel model() {
        return model;
    }

    // ---- reports to the backend

    synchronized ReplicaReport report() {
        return new ReplicaReport(
                order.machine(),
                state(),
                requests(),
                statistics()
                        .map(BatchStatistics::use)
                        .map(use -> Math.clamp(use, 0.0, 1.0))
                        .orElse(0.0),
                failure);
    }

    private ReplicaState state() {
        if (failure != null) {
            return ReplicaState.FAILED;
        }
        if (isDraining && requests() == 0) {
            return ReplicaState.DRAINED;
        }
        return model == null ? ReplicaState.LOADING : ReplicaState.SERVING;
    }

    /** Ends the running requests, and disconnects from the machine, which the backend ends. */
    @Override
    public void close() {
        RemoteMachine opened;
        ServedModel made;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            opened = machine;
            made = model;
        }
        if (made != null) {
            try {
                made.close();
            } catch (RuntimeException failure) {
                LOG.debug("the resources of a failed machine cannot be released", failure);
            }
        }
        closeQuietly(opened);
    }

    /** Closes a machine. Ignores the exception that a failed machine throws when it is closed. */
    private static void closeQuietly(RemoteMachine machine) {
        if (machine != null) {
            try {
                machine.close();
            } catch (RuntimeException failure) {
                LOG.debug("a machine's end was known before", failure);
            }
        }
    }
}
