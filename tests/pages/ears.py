"""What a page lets its person hear, and the device tell them who look elsewhere."""

SOUNDS = {587: "turn", 300: "card", 220: "refusal", 440: "shout", 523: "win", 988: "message"}
"""By the tone that each begins with."""

NOTICES = """() => {
    window.told = [];
    ServiceWorker.prototype.postMessage = ({ title, ...notice }) => { window.told.push([title, notice]); };
    return navigator.serviceWorker.ready.then(() => true);
}"""
HIDDEN = """value => {
    Object.defineProperty(document, "hidden", { get: () => value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
CALLING = {"service_workers": "allow", "permissions": ["notifications"]}
"""Of whoever may be given notices."""

WISHED = "localStorage.setItem('brelan', JSON.stringify({ notices: true }))"
MARKED = "link[rel=icon][href$='icon-turn.svg']"

EARS = """
    window.heard = [];
    class Node {
        constructor(context) { this.context = context; this.gain = this.frequency = this; }
        connect(other) { return other; }
        setValueAtTime(value) { this.begin = value; }
        linearRampToValueAtTime() {}
        exponentialRampToValueAtTime() {}
        start() { window.heard.push(this.begin); }
        stop() {}
    }
    window.AudioContext = class {
        get currentTime() { return performance.now() / 1000; }
        constructor() { window.made = true; window.ears = this; }
        createGain() { return new Node(this); }
        createOscillator() { return new Node(this); }
        async resume() { this.state = "running"; }
        async suspend() { this.state = "suspended"; }
    };
"""


def eared(person):
    """Somebody whose page counts what is heard; nothing can be before they touch it."""
    person.context.add_init_script(EARS)
    person.page.reload()
    person.page.wait_for_selector("[data-hand] .card")
    assert not person.page.evaluate("window.made")
    person.page.keyboard.press("t")
    assert person.page.evaluate("window.made")
    return person


def heard(person):
    return {SOUNDS[tone] for tone in person.page.evaluate("window.heard") if tone in SOUNDS}
