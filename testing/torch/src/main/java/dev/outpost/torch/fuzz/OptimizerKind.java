package dev.outpost.torch.fuzz;

import dev.outpost.nn.Parameter;
import dev.outpost.optim.Adagrad;
import dev.outpost.optim.Adam;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.RMSprop;
import dev.outpost.optim.SGD;
import dev.outpost.torch.Argument;
import dev.outpost.torch.Argument.BoolArgument;
import dev.outpost.torch.Argument.FloatArgument;
import java.util.List;
import java.util.Map;

/** An optimizer: its name in PyTorch, and the way to make it here with the same settings. */
enum OptimizerKind {
    SGD("SGD") {
        @Override
        Optimizer make(List<Parameter> parameters, Map<String, Argument> settings) {
            SGD made = new SGD(parameters, real(settings, "lr", 0.001))
                    .momentum(real(settings, "momentum", 0))
                    .dampening(real(settings, "dampening", 0))
                    .weightDecay(real(settings, "weight_decay", 0));
            return isSet(settings, "nesterov") ? made.nesterov() : made;
        }
    },
    ADAM("Adam") {
        @Override
        Optimizer make(List<Parameter> parameters, Map<String, Argument> settings) {
            Adam made =
                    new Adam(parameters, real(settings, "lr", 0.001)).weightDecay(real(settings, "weight_decay", 0));
            return isSet(settings, "amsgrad") ? made.amsgrad() : made;
        }
    },
    ADAMW("AdamW") {
        @Override
        Optimizer make(List<Parameter> parameters, Map<String, Argument> settings) {
            AdamW made = new AdamW(parameters, real(settings, "lr", 0.001))
                    .weightDecay(real(settings, "weight_decay", 0.01));
            return isSet(settings, "amsgrad") ? made.amsgrad() : made;
        }
    },
    RMSPROP("RMSprop") {
        @Override
        Optimizer make(List<Parameter> parameters, Map<String, Argument> settings) {
            RMSprop made = new RMSprop(parameters, real(settings, "lr", 0.01))
                    .alpha(real(settings, "alpha", 0.99))
                    .momentum(real(settings, "momentum", 0))
                    .weightDecay(real(settings, "weight_decay", 0));
            return isSet(settings, "centered") ? made.centered() : made;
        }
    },
    ADAGRAD("Adagrad") {
        @Override
        Optimizer make(List<Parameter> parameters, Map<String, Argument> settings) {
            return new Adagrad(parameters, real(settings, "lr", 0.01))
                    .learningRateDecay(real(settings, "lr_decay", 0))
                    .weightDecay(real(settings, "weight_decay", 0));
        }
    };

    private final String python;

    OptimizerKind(String python) {
        this.python = python;
    }

    String python() {
        return python;
    }

    abstract Optimizer make(List<Parameter> parameters, Map<String, Argument> settings);

    private static double real(Map<String, Argument> settings, String name, double otherwise) {
        return settings.get(name) instanceof FloatArgument real ? real.value() : otherwise;
    }

    private static boolean isSet(Map<String, Argument> settings, String name) {
        return settings.get(name) instanceof BoolArgument bool && bool.value();
    }
}
