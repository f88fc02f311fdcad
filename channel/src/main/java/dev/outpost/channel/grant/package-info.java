/** The rights of a token's holder on a runtime, as provisioners and runtimes tell each other. */
package dev.outpost.channel.grant;
