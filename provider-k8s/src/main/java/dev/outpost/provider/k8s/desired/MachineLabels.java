package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.config.KubernetesNames;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The labels by which everything of a machine is found, and the annotations that tell of it. */
public final class MachineLabels {
    public static final String NAME = "app.kubernetes.io/name";
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** The machine's id. */
    public static final String MACHINE = "outpost.dev/machine";

    /** The name of the GPU's type, as far as a label can hold it. */
    public static final String GPU = "outpost.dev/gpu";

    /** {@value #CLIENT}, {@value #STATED} or {@value #CONTROLLED}. */
    public static final String LIFE = "outpost.dev/life";

    /** The value of {@link #LIFE} of a machine that depends on its client. */
    public static final String CLIENT = "client";

    /** The value of {@link #LIFE} of a machine that lives for a stated time. */
    public static final String STATED = "stated";

    /** The value of {@link #LIFE} of a machine of a control plane. */
    public static final String CONTROLLED = "controlled";

    /** Which control plane's machine it is. */
    public static final String INSTALLATION = "outpost.dev/installation";

    /** An annotation: the labels that a control plane gave the machine, as JSON. */
    public static final String GIVEN = "outpost.dev/labels";

    /** An annotation: the SHA-256 of the machine's certificate, once it has its key. */
    public static final String PIN = "outpost.dev/pin";

    /** An annotation: who asked for the machine. */
    public static final String OWNER = "outpost.dev/owner";

    /** An annotation of a Job that has no key yet. */
    public static final String HELD = "outpost.dev/held";

    /** Kueue's: the queue in which a Job waits. */
    public static final String QUEUE = "kueue.x-k8s.io/queue-name";

    /** An annotation of a pod as one member of a group sees it: the container whose log is the member's. */
    public static final String CONTAINER = "outpost.dev/container";

    /** Kubernetes': which pod of an Indexed Job it is. */
    public static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private static final String PREFIX = "outpost.dev/";

    private MachineLabels() {}

    /** Selects what belongs to any machine. */
    public static Map<String, String> ofAll() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(NAME, "outpost-machine");
        labels.put(MANAGED_BY, "outpost");
        return labels;
    }

    /** Selects what belongs to one machine. */
    public static Map<String, String> of(String id) {
        Map<String, String> labels = ofAll();
        labels.put(MACHINE, id);
        return labels;
    }

    /** All labels of ours that everything of this machine carries. */
    static Map<String, String> of(KubernetesMachineSpec request) {
        Map<String, String> labels = of(request.id());
        labels.put(GPU, value(request.gpu().name()));
        labels.put(LIFE, life(request.lifetime()));
        if (request.lifetime() instanceof LifetimePolicy.Controlled controlled) {
            labels.put(INSTALLATION, controlled.installation());
        }
        return labels;
    }

    /** Selects what belongs to the machines of one control plane. */
    public static Map<String, String> ofInstallation(String installation) {
        Map<String, String> labels = ofAll();
        labels.put(INSTALLATION, installation);
        return labels;
    }

    /** All annotations of ours. */
    static Map<String, String> annotations(KubernetesMachineSpec request) {
        Map<String, String> annotations = new LinkedHashMap<>(Map.of(OWNER, request.owner()));
        if (request.lifetime() instanceof LifetimePolicy.Controlled controlled) {
            annotations.put(GIVEN, Serialization.asJson(new TreeMap<>(controlled.labels())));
        }
        return annotations;
    }

    /** Whether a label is one by which machines are found. */
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

    /** A GPU's name may be longer than a label's value, and end in what a value cannot end in. */
    private static String value(String name) {
        return name.substring(0, Math.min(name.length(), KubernetesNames.LONGEST_LABEL))
                .replaceAll("[^A-Za-z0-9]+$", "");
    }
}
