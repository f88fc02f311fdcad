package dev.outpost.provider.k8s;

/** What was asked of the cluster does not come about; the message says why in a sentence, and what to do about it. */
public final class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ClusterException(String message) {
        super(message);
    }

    ClusterException(String message, Throwable cause) {
        super(message, cause);
    }

    static ClusterException noMachine(String id, Cluster cluster) {
        return new ClusterException("there is no machine called " + id + " in " + cluster.name()
                + "; ./outpost machines list shows those there are");
    }
}
