package dev.outpost.provider.k8s.cluster;

/** A request to the cluster has failed. The message has the reason in a sentence, and the remedy. */
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
