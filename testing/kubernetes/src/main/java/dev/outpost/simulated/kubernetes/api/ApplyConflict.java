package dev.outpost.simulated.kubernetes.api;

/**
 * A field that an apply would set and that is somebody else's.
 *
 * @param manager whose it is
 * @param field as in {@code .spec.suspend}
 */
record ApplyConflict(String manager, String apiVersion, String field) {
    String withWhom() {
        return "conflict with \"" + manager + "\" using " + apiVersion;
    }
}
