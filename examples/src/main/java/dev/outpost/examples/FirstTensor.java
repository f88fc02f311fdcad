package dev.outpost.examples;

/** Two matrices on a machine somewhere else; one number comes back. */
public final class FirstTensor {
    private FirstTensor() {}

    public static void main(String[] args) {
        try (var machine = ExampleArguments.of(args).machine()) {
            var x = machine.randn(1000, 1000);
            var y = machine.randn(1000, 1000);
            System.out.println(x.matmul(y).relu().mean().item());
        }
    }
}
