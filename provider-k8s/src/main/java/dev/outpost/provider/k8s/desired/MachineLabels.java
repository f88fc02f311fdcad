package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.config.KubernetesNames;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The labels by which all objects of a machine are found, and the annotations that describe it. */
public final class MachineLabels {
    public static final String NAME = "app.kubernetes.io/name";
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** The label with the machine's id. */
    public static final String MACHINE = "outpost.dev/machine";

    /** The label with the name of the GPU's type, adapted to the rules of labels. */
    public static final String GPU = "outpost.dev/gpu";

    /** The label with {@value #CLIENT}, {@value #STATED} or {@value #CONTROLLED}. */
    public static final String LIFE = "outpost.dev/life";

    /** The value of {@link #LIFE} of a machine that depends on its client. */
    public static final String CLIENT = "client";

    /** The value of {@link #LIFE} of a machine that lives for a stated time. */
    public static final String STATED = "stated";

    /** The value of {@link #LIFE} of a machine of a control plane. */
    public static final String CONTROLLED = "controlled";

    /** The label with the control plane that owns the machine. */
    public static final String INSTALLATION = "outpost.dev/installation";

    /** The annotation with the labels that a control plane gave the machine, as JSON. */
    public static final String GIVEN = "outpost.dev/labels";

    /** The annotation with the SHA-256 of the machine's certificate. It is set after the machine's key was made. */
    public static final String PIN = "outpost.dev/pin";

    /** The annotation with the user who requested the machine. */
    public static final String OWNER = "outpost.dev/owner";

    /** The annotation of a Job that has no key yet. */
    public static final String HELD = "outpost.dev/held";

    /** Kueue's label with the queue in which a Job waits. */
    public static final String QUEUE = "kueue.x-k8s.io/queue-name";

    /**
     * The annotation with the container that has the log of a member of a group. {@code MemberContainer} sets it on the copy of the pod
     * that shows only this member's container. The cluster never contains it.
     */
    public static final String CONTAINER = "outpost.dev/container";

    /** Kubernetes' label with the index of a pod of an Indexed Job. */
    public static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private static final String PREFIX = "outpost.dev/";

    private MachineLabels() {}

    /** Selects the objects of all machines. */
    public static Map<String, String> ofAll() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(NAME, "outpost-machine");
        labels.put(MANAGED_BY, "outpost");
        return labels;
    }

    /** Selects the objects of one machine. */
    public static Map<String, String> of(String id) {
        Map<String, String> labels = ofAll();
        labels.put(MACHINE, id);
        return labels;
    }

    /** Returns all labels of Outpost on the objects of this machine. */
    static Map<String, String> of(KubernetesMachineSpec request) {
        Map<String, String> labels = of(request.id());
        labels.put(GPU, value(request.gpu().name()));
        labels.put(LIFE, life(request.lifetime()));
        if (request.lifetime() instanceof LifetimePolicy.Controlled controlled) {
            labels.put(INSTALLATION, controlled.installation());
        }
        return labels;
    }

    /** Selects the objects of the machines of one control plane. */
    public static Map<String, String> ofInstallation(String installation) {
        Map<String, String> labels = ofAll();
        labels.put(INSTALLATION, installation);
        return labels;
    }

    /** Returns all annotations of Outpost. */
    static Map<String, String> annotations(KubernetesMachineSpec request) {
        Map<String, String> annotations = new LinkedHashMap<>(Map.of(OWNER, request.owner()));
        if (request.lifetime() instanceof LifetimePolicy.Controlled controlled) {
            annotations.put(GIVEN, Serialization.asJson(new TreeMap<>(controlled.labels())));
        }
        return annotations;
    }

    /** Returns true if the provider finds machines by this label. */
    static boolean isOurs(String key) {
        return ofAll().containsKey(key) || key.startsWith(PREFIX);
    }

    private static String life(LifetimePolicy lifetime) {
        return switch (lifetime) {
            case LifetimePolicy.ClientLease leased -> CLIENT;
            case LifetimePolicy.Stated stated -> STATED;
            case LifetimePolicy.Controlled controlled -> CONTROLLED;
        };
    }

    /**
     * Converts a GPU's name to a label's value: truncates it, and removes trailing characters that are not allowed at
     * the end.
     */
    private static String value(String name) {
        return name.substring(0, Math.min(name.length(), KubernetesNames.LONGEST_LABEL))
                .replaceAll("[^A-Za-z0-9]+$", "");
    }
}
