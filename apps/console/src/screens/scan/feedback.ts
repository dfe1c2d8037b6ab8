let sound: AudioContext | undefined;

/** Tells by a tone and a vibration whether a code is known: high and short, or low and long. */
export function feedback(isKnown: boolean): void {
  navigator.vibrate?.(isKnown ? 60 : [120, 60, 120]);
  // Browsers allow a sound after the first touch or key only.
  if (navigator.userActivation?.hasBeenActive === false) return;
  sound ??= new AudioContext();
  const tone = sound.createOscillator();
  const volume = sound.createGain();
  volume.gain.value = 0.08;
  tone.frequency.value = isKnown ? 1_320 : 300;
  tone.connect(volume).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + (isKnown ? 0.08 : 0.25));
}
