package dev.outpost.cli.backend;

/** Checks names of deployments by the rules of the backend. */
final class DeploymentName {
    private DeploymentName() {}

    /** @throws IllegalArgumentException if no deployment can have the name */
    static String checked(String name) {
        if (!name.matches("[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")) {
            throw new IllegalArgumentException(
                    "name: expected 1 to 40 lower-case letters, digits and inner dashes, got \"" + name + "\"");
        }
        return name;
    }
}
