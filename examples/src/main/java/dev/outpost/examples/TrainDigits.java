package dev.outpost.examples;

/** Trains a small classifier on handwritten digits. Further arguments: epochs, seed. */
public final class TrainDigits {
    private static final int EPOCHS = 30;

    private TrainDigits() {}

    public static void main(String[] args) {
        ExampleArguments arguments = ExampleArguments.of(args);
        int epochs = arguments.number(0, EPOCHS);
        try (var machine = arguments.machine()) {
            var training = new DigitsTraining(machine, arguments.number(1, 0));
            System.out.println(training.model());
            double accuracy = training.run(
                    epochs,
                    epoch -> System.out.printf(
                            "epoch %2d: loss %.4f, accuracy %.4f%n", epoch.number(), epoch.loss(), epoch.accuracy()));
            System.out.printf("%.2f %% of %d images read rightly%n", 100 * accuracy, DigitsTraining.HELD_OUT);
        }
    }
}
