package dev.outpost.simulated.kubernetes.api;

/**
 * A field that an apply would set, and that belongs to another manager.
 *
 * @param manager the manager that owns the field
 * @param field the path of the field, as in {@code .spec.suspend}
 */
record ApplyConflict(String manager, String apiVersion, String field) {
    String withWhom() {
        return "conflict with \"" + manager + "\" using " + apiVersion;
    }
}
