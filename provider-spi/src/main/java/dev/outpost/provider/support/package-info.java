/** Help for providers and servers: reading settings, naming machines, limiting rates and cleaning up. Programs of users do not need it. */
@NullMarked
package dev.outpost.provider.support;

import org.jspecify.annotations.NullMarked;
