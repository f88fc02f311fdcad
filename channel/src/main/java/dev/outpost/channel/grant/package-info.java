/** The rights of a token's holder on a runtime, as provisioners and runtimes exchange them. */
@NullMarked
package dev.outpost.channel.grant;

import org.jspecify.annotations.NullMarked;
