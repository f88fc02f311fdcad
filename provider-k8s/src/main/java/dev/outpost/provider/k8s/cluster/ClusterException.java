package dev.outpost.provider.k8s.cluster;

/** What was asked of the cluster does not come about; the message says why in a sentence, and what to do about it. */
public final class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }

    public static ClusterException noMachine(String id, Cluster cluster) {
        return new ClusterException("there is no machine called " + id + " in " + cluster.name()
                + "; ./outpost machines list shows those there are");
    }
}
